import { useRef, useState } from 'react';
import { useAction } from '../../../api/useAction';
import { loadDraft, saveDraft } from '../../../lib/draft';
import { formatBoth } from '../../../lib/new-york';
import type { Form } from '../../../lib/useForm';
import { createTexts } from '../../../texts/create';
import { toast } from '../../../ui/toast-store';
import { type BetForm, EMPTY_BET, expiryOf } from '../create/form';
import { completeIdea, generateIdea } from './api';
import { hasOwnText, type IdeaFields, ideaFields, ideaPart, withCompletion, withIdea } from './fill';

const texts = createTexts.ideas;

/** The button for a completion appears if the title has more characters than this. */
const TOO_SHORT = 5;

/** A text with the expiry that the completion has filled in. Undefined if the expiry is from the user or missing. */
function expiryWords(form: BetForm, filled: IdeaFields): string | undefined {
  const isFilled = form.expiryDate === filled.expiryDate && form.expiryHour === filled.expiryHour;
  const expiry = isFilled ? expiryOf(form) : null;
  return expiry ? texts.completed.text(formatBoth(expiry.toISOString())) : undefined;
}

export interface IdeasState {
  generate: () => Promise<void>;
  generating: boolean;
  complete: () => Promise<void>;
  completing: boolean;
  canComplete: boolean;
  /** Restores the user's values that an idea has replaced. Null if no idea has replaced a value of the user. */
  bringBack: (() => void) | null;
}

/** Fills the form with ideas. The user can restore replaced values. A failed request does not change the form. */
export function useIdeas(form: Form<BetForm>, userId: string): IdeasState {
  // The user may type while the request runs. So the answer is merged with the form's values when the answer arrives.
  const latest = useRef(form);
  latest.current = form;
  const filled = useRef<IdeaFields | null>(null);
  const [replaced, setReplaced] = useState<IdeaFields | null>(null);

  function put(values: BetForm) {
    const before = latest.current.values;
    void latest.current.setValues(values);
    // The draft keeps the idea for a user who has left the page. After the bet was created, its values are not the draft any more.
    const draft = loadDraft(userId, EMPTY_BET);
    if (JSON.stringify(draft) === JSON.stringify(before)) saveDraft(userId, values);
  }

  const generate = useAction(
    async () => {
      const idea = ideaFields(await generateIdea());
      const { values } = latest.current;
      if (hasOwnText(values, filled.current)) setReplaced(ideaPart(values));
      filled.current = idea;
      put(withIdea(values, idea));
      toast(texts.generated.title, texts.generated.text, 'success');
    },
    { title: texts.generationFailed.title, fallback: texts.generationFailed.text },
  );

  const complete = useAction(
    async () => {
      const fields = ideaFields(await completeIdea(latest.current.values.title.trim()));
      const { values } = latest.current;
      const done = withCompletion(values, filled.current, { ...fields, title: values.title });
      filled.current = fields;
      put(done);
      toast(texts.completed.title, expiryWords(done, fields), 'success');
    },
    { title: texts.completionFailed.title, fallback: texts.completionFailed.text },
  );

  function bringBack() {
    if (replaced) put({ ...latest.current.values, ...replaced });
    setReplaced(null);
  }

  // Only one request runs at a time. Otherwise the second answer would overwrite the first.
  const busy = generate.pending || complete.pending;
  const unlessBusy = (run: () => Promise<void>) => () => (busy ? Promise.resolve() : run());

  return {
    generate: unlessBusy(generate.run),
    generating: generate.pending,
    complete: unlessBusy(complete.run),
    completing: complete.pending,
    canComplete: [...form.values.title.trim()].length > TOO_SHORT,
    bringBack: replaced && bringBack,
  };
}
