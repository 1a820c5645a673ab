import { useIsTestMode } from '../../../api/config';
import type { DepositInvoice } from '../../../api/types';
import { useAction } from '../../../api/useAction';
import { amountOf } from '../../../lib/amount';
import { LEAST_DEPOSIT } from '../../../lib/limits';
import { formatNumber } from '../../../lib/money';
import { useFocusOnMount } from '../../../lib/useFocusOnMount';
import { type Form, useForm } from '../../../lib/useForm';
import { depositTexts as texts } from '../../../texts/wallet';
import { Button } from '../../../ui/Button';
import { Field, inputClass } from '../../../ui/Field';
import { toast } from '../../../ui/toast-store';
import { SatsNote } from '../../../ui/Unit';
import { addTestSats, createInvoice } from '../api';
import { depositProblemTitle, depositSchema, type AmountForm as Values } from '../schema';
import styles from './wallet.module.css';

const NO_AMOUNT: Values = { amount: '' };

interface AmountFormProps {
  onInvoice: (invoice: DepositInvoice) => void;
  onAdded: () => void;
}

/** The form for the amount of a deposit. */
export function AmountForm({ onInvoice, onAdded }: AmountFormProps) {
  const field = useFocusOnMount<HTMLInputElement>();
  const form = useForm<Values>({
    initialValues: NO_AMOUNT,
    checks: depositSchema,
    refuse: (_, { amount: problem }) =>
      problem ? { title: depositProblemTitle(problem), text: problem } : null,
    send: async ({ amount }) => {
      const invoice = await createInvoice(amountOf(amount));
      toast(texts.toasts.created(invoice.isTestMode), undefined, 'success');
      onInvoice(invoice);
    },
    title: texts.toasts.createFailed,
    fallback: texts.toasts.createFallback,
  });
  return (
    <form {...form.props} className={styles.form}>
      <Field label={texts.amount} hint={texts.amountHint} error={form.errorOf('amount')}>
        {(control) => (
          <input
            {...control}
            ref={field}
            {...form.field('amount')}
            type="text"
            inputMode="numeric"
            autoComplete="off"
            placeholder={String(LEAST_DEPOSIT)}
            className={inputClass}
          />
        )}
      </Field>
      <Button type="submit" tone="primary" wide pending={form.pending} pendingLabel={texts.creating}>
        {texts.create}
      </Button>
      <TestAdd form={form} onAdded={onAdded} />
      <p className={styles.note}>
        <SatsNote test={texts.testNote} real={texts.realNote} />
      </p>
    </form>
  );
}

interface TestAddProps {
  form: Form<Values>;
  onAdded: () => void;
}

/** On a site with test sats: a button that adds the amount without an invoice. */
function TestAdd({ form, onAdded }: TestAddProps) {
  const isTestMode = useIsTestMode();
  const add = useAction(
    async ({ amount }: Values) => {
      const sats = amountOf(amount);
      const { isRepeated } = await addTestSats(sats);
      onAdded();
      if (isRepeated) toast(texts.toasts.testRepeated, texts.toasts.testRepeatedText);
      else toast(texts.toasts.testAdded, texts.toasts.testAddedText(formatNumber(sats)), 'success');
    },
    { title: texts.toasts.failed, fallback: texts.toasts.fallback, onError: form.showErrors },
  );
  if (!isTestMode) return null;
  return (
    <div className={styles.testAdd}>
      <Button
        wide
        pending={add.pending}
        pendingLabel={texts.addingTest}
        onClick={() => void form.submit(add.run)}
      >
        {texts.addTest}
      </Button>
      <p className={styles.muted}>{texts.addTestHint}</p>
    </div>
  );
}
