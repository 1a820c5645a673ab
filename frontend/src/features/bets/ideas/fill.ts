import type { BetIdea } from '../../../api/types';
import { toNewYork } from '../../../lib/new-york';
import type { BetForm } from '../create/form';

/** The fields that an idea fills in. */
const TEXTS = [
  'title',
  'description',
  'optionA',
  'optionB',
  'category',
  'resolutionMethod',
  'sourceUrl',
] as const;
const EXPIRY = ['expiryDate', 'expiryHour'] as const;

export type IdeaFields = Pick<BetForm, (typeof TEXTS)[number] | (typeof EXPIRY)[number]>;

const HOUR_MS = 3_600_000;

/** The form offers only full hours. An expiry between two hours becomes the later one. */
function expiryFields(expiry: string | null): Pick<IdeaFields, 'expiryDate' | 'expiryHour'> {
  if (expiry === null) return { expiryDate: '', expiryHour: '' };
  const { date, hour } = toNewYork(new Date(Math.ceil(Date.parse(expiry) / HOUR_MS) * HOUR_MS));
  return { expiryDate: date, expiryHour: String(hour) };
}

export function ideaFields(idea: BetIdea): IdeaFields {
  return {
    title: idea.title,
    description: idea.description,
    optionA: idea.optionA,
    optionB: idea.optionB,
    category: idea.category,
    resolutionMethod: idea.resolutionMethod,
    sourceUrl: idea.sourceUrl ?? '',
    ...expiryFields(idea.expiryDate),
  };
}

/** The values of the form in the fields of an idea. */
export function ideaPart(form: BetForm): IdeaFields {
  const { title, description, optionA, optionB, category, resolutionMethod, sourceUrl } = form;
  const { expiryDate, expiryHour } = form;
  return {
    title,
    description,
    optionA,
    optionB,
    category,
    resolutionMethod,
    sourceUrl,
    expiryDate,
    expiryHour,
  };
}

/** Whether the user wrote the value: it is not empty and not from an idea. */
function isOwn(form: BetForm, filled: IdeaFields | null, name: keyof IdeaFields): boolean {
  return form[name].trim() !== '' && form[name] !== filled?.[name];
}

/** Whether a new idea would overwrite a text of the user. */
export function hasOwnText(form: BetForm, filled: IdeaFields | null): boolean {
  return [...TEXTS, ...EXPIRY].some((name) => isOwn(form, filled, name));
}

/** The form filled with a complete idea. If the idea has no expiry, the chosen expiry stays. */
export function withIdea(form: BetForm, idea: IdeaFields): BetForm {
  const expiry = idea.expiryDate ? {} : { expiryDate: form.expiryDate, expiryHour: form.expiryHour };
  return { ...form, ...idea, ...expiry };
}

/**
 * The form after a completion. Texts of the user stay. Empty fields and fields of an earlier idea are filled in.
 */
export function withCompletion(form: BetForm, filled: IdeaFields | null, idea: IdeaFields): BetForm {
  const done = { ...form };
  for (const name of TEXTS) {
    if (name === 'resolutionMethod') continue;
    if (!isOwn(form, filled, name)) done[name] = idea[name];
  }
  if (!isOwn(form, filled, 'resolutionMethod')) done.resolutionMethod = idea.resolutionMethod;
  const hasOwnExpiry = form.expiryDate !== '' && form.expiryHour !== '';
  if (idea.expiryDate && !(hasOwnExpiry && EXPIRY.some((name) => isOwn(form, filled, name)))) {
    done.expiryDate = idea.expiryDate;
    done.expiryHour = idea.expiryHour;
  }
  return done;
}
