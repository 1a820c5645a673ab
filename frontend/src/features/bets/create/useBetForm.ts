import { useEffect } from 'react';
import type { User } from '../../../api/types';
import { finishDraft, loadDraft, saveDraft } from '../../../lib/draft';
import { type Form, useForm } from '../../../lib/useForm';
import { useNavigateFromHere } from '../../../lib/useNavigateFromHere';
import { createTexts as texts } from '../../../texts/create';
import { toast } from '../../../ui/toast-store';
import { createBet } from '../api';
import { betProblems } from './checks';
import { type BetForm, EMPTY_BET, expiryOf, submitProblem, toNewBet } from './form';

export function useBetForm(user: User): Form<BetForm> {
  const navigate = useNavigateFromHere();
  const form = useForm<BetForm>({
    initialValues: loadDraft(user.id, EMPTY_BET),
    checks: betProblems,
    checkedOn: 'change',
    refuse: (values, errors) => {
      const isOnlyExpiryWrong = Object.keys(errors).every((name) => name.startsWith('expiry'));
      return isOnlyExpiryWrong ? submitProblem(values, user, new Date()) : null;
    },
    send: async (values) => {
      const expiry = expiryOf(values);
      // The checks above refuse these values. This condition tells the compiler.
      if (!expiry || values.resolutionMethod === '') {
        toast(texts.failedTitle, texts.errors.method, 'destructive');
        return;
      }
      const bet = await createBet(toNewBet(values, expiry, values.resolutionMethod));
      finishDraft(user.id);
      if (bet.isPrivate && bet.shareToken) {
        toast(
          texts.createdPrivate.title,
          texts.createdPrivate.text(location.origin, bet.shareToken),
          'success',
        );
      } else {
        toast(texts.createdPublic.title, texts.createdPublic.text, 'success');
      }
      navigate(`/bet/${bet.shareToken ?? bet.id}`);
    },
    // The server has one field for the expiry, the form has two. The date field shows the server's error.
    problemsOf: ({ fields }) =>
      fields.map(({ field, message }) => ({ field: field === 'expiresAt' ? 'expiryDate' : field, message })),
    title: texts.failedTitle,
    fallback: texts.failed,
  });
  useEffect(() => saveDraft(user.id, form.values, EMPTY_BET), [user.id, form.values]);
  return form;
}
