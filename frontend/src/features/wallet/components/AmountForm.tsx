import { type FormEvent, useRef } from 'react';
import type { ApiError } from '../../../api/client';
import { useIsTestMode } from '../../../api/config';
import type { DepositInvoice } from '../../../api/types';
import { useAction } from '../../../api/useAction';
import { amountOf } from '../../../lib/amount';
import { focusFirstInvalid } from '../../../lib/forms';
import { formatNumber } from '../../../lib/money';
import { useCheckedForm } from '../../../lib/useCheckedForm';
import { useFocusOnMount } from '../../../lib/useFocusOnMount';
import { depositTexts as texts } from '../../../texts/wallet';
import { Button } from '../../../ui/Button';
import { Field, inputClass } from '../../../ui/Field';
import { toast } from '../../../ui/toast-store';
import { SatsNote } from '../../../ui/Unit';
import { addTestSats, createInvoice } from '../api';
import { depositProblemTitle, depositSchema, LEAST_DEPOSIT, type AmountForm as Values } from '../schema';
import styles from './wallet.module.css';

const NO_AMOUNT: Values = { amount: '' };

interface AmountFormProps {
  onInvoice: (invoice: DepositInvoice) => void;
  onAdded: () => void;
}

/** The amount of a deposit. */
export function AmountForm({ onInvoice, onAdded }: AmountFormProps) {
  const element = useRef<HTMLFormElement>(null);
  const field = useFocusOnMount<HTMLInputElement>();
  const isTestMode = useIsTestMode();
  const { form, refusals } = useCheckedForm<Values>(depositSchema, { initialValues: NO_AMOUNT });
  const onError = (error: ApiError) => {
    refusals.remember(error.fields, form.values);
    void form.validateForm().then(() => focusFirstInvalid(element.current));
    return false;
  };
  const create = useAction(
    async (amount: number) => {
      const invoice = await createInvoice(amount);
      toast(texts.toasts.created(invoice.isTestMode), undefined, 'success');
      onInvoice(invoice);
    },
    { title: texts.toasts.createFailed, fallback: texts.toasts.createFallback, onError },
  );
  const add = useAction(
    async (amount: number) => {
      await addTestSats(amount);
      onAdded();
      toast(texts.toasts.testAdded, texts.toasts.testAddedText(formatNumber(amount)), 'success');
    },
    { title: texts.toasts.failed, fallback: texts.toasts.fallback, onError },
  );

  async function judged(act: (amount: number) => Promise<void>) {
    refusals.forget();
    await form.setTouched({ amount: true }, false);
    const { amount: problem } = await form.validateForm();
    if (problem) {
      toast(depositProblemTitle(problem), problem, 'destructive');
      focusFirstInvalid(element.current);
      return;
    }
    await act(amountOf(form.values.amount));
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    void judged(create.run);
  }

  return (
    <form ref={element} className={styles.form} noValidate onSubmit={submit}>
      <Field
        label={texts.amount}
        hint={texts.amountHint}
        error={form.touched.amount ? form.errors.amount : undefined}
      >
        {(control) => (
          <input
            {...control}
            ref={field}
            {...form.getFieldProps('amount')}
            type="text"
            inputMode="numeric"
            autoComplete="off"
            placeholder={String(LEAST_DEPOSIT)}
            className={inputClass}
          />
        )}
      </Field>
      <Button type="submit" tone="primary" wide pending={create.pending} pendingLabel={texts.creating}>
        {texts.create}
      </Button>
      {isTestMode && (
        <div className={styles.testAdd}>
          <Button
            wide
            pending={add.pending}
            pendingLabel={texts.addingTest}
            onClick={() => void judged(add.run)}
          >
            {texts.addTest}
          </Button>
          <p className={styles.muted}>{texts.addTestHint}</p>
        </div>
      )}
      <p className={styles.note}>
        <SatsNote test={texts.testNote} real={texts.realNote} />
      </p>
    </form>
  );
}
