import type { FormikProps } from 'formik';
import { type RefObject, useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import type { FieldProblem, User } from '../../../api/types';
import { useAction } from '../../../api/useAction';
import { clearDraft, loadDraft, saveDraft } from '../../../lib/draft';
import { focusFirstInvalid } from '../../../lib/forms';
import { lateChecks } from '../../../lib/late-checks';
import { useCheckedForm } from '../../../lib/useCheckedForm';
import { createTexts as texts } from '../../../texts/create';
import { toast } from '../../../ui/toast-store';
import { createBet } from '../api';
import { type BetForm, EMPTY_BET, expiryOf, submitProblem, toNewBet } from './form';

export type BetFormik = FormikProps<BetForm>;

const betChecks = lateChecks(
  () => import(/* webpackChunkName: "bet-checks" */ './schema'),
  ({ betSchema }) => betSchema,
);

const ALL_TOUCHED = Object.fromEntries(Object.keys(EMPTY_BET).map((name) => [name, true]));

export interface BetFormState {
  form: BetFormik;
  pending: boolean;
  submit: () => Promise<void>;
}

export function useBetForm(user: User, element: RefObject<HTMLFormElement | null>): BetFormState {
  const navigate = useNavigate();
  const { form, refusals } = useCheckedForm<BetForm>(betChecks, {
    initialValues: loadDraft(EMPTY_BET),
    validateOnChange: true,
  });
  useEffect(() => saveDraft(form.values), [form.values]);

  const create = useAction(
    async (values: BetForm) => {
      const expiry = expiryOf(values);
      // The validation ensures this, unless its code failed to load.
      if (!expiry || values.resolutionMethod === '') {
        toast(texts.failedTitle, texts.errors.method, 'destructive');
        return;
      }
      const bet = await createBet(toNewBet(values, expiry, values.resolutionMethod));
      clearDraft();
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
    {
      title: texts.failedTitle,
      fallback: texts.failed,
      onError: (error) => {
        refusals.remember(atFields(error.fields), form.values);
        void form.validateForm().then(() => focusFirstInvalid(element.current));
        return false;
      },
    },
  );

  async function submit() {
    refusals.forget();
    await form.setTouched(ALL_TOUCHED, false);
    const errors = await form.validateForm();
    if (Object.keys(errors).some((name) => !name.startsWith('expiry'))) {
      focusFirstInvalid(element.current);
      return;
    }
    const problem = submitProblem(form.values, user, new Date());
    if (problem) {
      toast(problem.title, problem.text, 'destructive');
      focusFirstInvalid(element.current);
      return;
    }
    await create.run(form.values);
  }

  return { form, pending: create.pending, submit };
}

/** The server has one field for the expiry. The form shows its error at the date. */
function atFields(problems: readonly FieldProblem[]): FieldProblem[] {
  return problems.map(({ field, message }) => ({
    field: field === 'expiresAt' ? 'expiryDate' : field,
    message,
  }));
}
