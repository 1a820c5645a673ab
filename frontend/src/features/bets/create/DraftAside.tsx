import { useState } from 'react';
import { draftAside, finishDraft } from '../../../lib/draft';
import type { Form } from '../../../lib/useForm';
import { createTexts } from '../../../texts/create';
import { Button } from '../../../ui/Button';
import { type BetForm, EMPTY_BET } from './form';

const texts = createTexts.aside;

/** Says that a rematch or an idea has set the user's unfinished bet aside, and leads back to it. */
export function DraftAside({ form, userId }: { form: Form<BetForm>; userId: string }) {
  const [aside, setAside] = useState(() => draftAside(userId, EMPTY_BET));
  if (!aside) return null;
  function goBack(draft: BetForm) {
    finishDraft(userId);
    void form.setValues(draft);
    setAside(null);
  }
  return (
    <p role="status">
      {texts.kept(aside.title.trim())}{' '}
      <Button small onClick={() => goBack(aside)}>
        {texts.back}
      </Button>
    </p>
  );
}
