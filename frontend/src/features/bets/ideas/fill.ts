import type { BetIdea } from '../../../api/types';
import { toNewYork } from '../../../lib/new-york';
import { type BetForm, EMPTY_BET } from '../create/form';

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

export type IdeaFields = Pick<BetForm, (typeof TEXTS)[number] | (typeof EXPIRY)[number] | 'suggestedOddsA'>;

const HOUR_MS = 3_600_000;

/** The form offers only full hours, so the expiry of an idea is rounded up to the next full hour. */
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
    suggestedOddsA: idea.oddsA === null ? '' : String(idea.oddsA),
  };
}

/** The form values of the fields that an idea fills in. */
export function ideaPart(form: BetForm): IdeaFields {
  const { title, description, optionA, optionB, category, resolutionMethod, sourceUrl } = form;
  const { expiryDate, expiryHour, suggestedOddsA } = form;
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
    suggestedOddsA,
  };
}

/** Whether the value of the field comes from the user: it is neither the value of an empty form nor from the last idea. */
function isOwn(form: BetForm, filled: IdeaFields | null, name: keyof IdeaFields): boolean {
  return form[name].trim() !== EMPTY_BET[name] && form[name] !== filled?.[name];
}

/** Whether a new idea would overwrite a value that comes from the user. */
export function hasOwnText(form: BetForm, filled: IdeaFields | null): boolean {
  return [...TEXTS, ...EXPIRY].some((name) => isOwn(form, filled, name));
}

/** Fills the form with a complete idea. If the idea has no expiry, the form's expiry stays. */
export function withIdea(form: BetForm, idea: IdeaFields): BetForm {
  const expiry = idea.expiryDate ? {} : { expiryDate: form.expiryDate, expiryHour: form.expiryHour };
  return { ...form, ...idea, ...expiry };
}

/**
 * Fills the form with a completion. Values that come from the user stay. The completion replaces empty fields, values
 * of an earlier idea, and an expiry without a date or an hour.
 */
export function withCompletion(form: BetForm, filled: IdeaFields | null, idea: IdeaFields): BetForm {
  const done = { ...form, suggestedOddsA: idea.suggestedOddsA };
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
