import { postMoney } from '../../api/client';
import { amountOf } from '../../lib/amount';
import { MOST_AMOUNT } from '../../lib/limits';
import { formatMoney } from '../../lib/money';
import { type FieldErrors, useForm } from '../../lib/useForm';
import { adminTexts } from '../../texts/admin';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Field, inputClass } from '../../ui/Field';
import { toast } from '../../ui/toast-store';
import styles from './admin.module.css';
import { EmailField } from './EmailField';

const texts = adminTexts.deposit;

interface DepositForm {
  userEmail: string;
  amount: string;
}

const EMPTY: DepositForm = { userEmail: '', amount: '' };

interface Deposited {
  userEmail: string;
  boltsBalance: number;
}

function errorsIn({ userEmail, amount }: DepositForm): FieldErrors<DepositForm> {
  return {
    ...(!userEmail.trim() && { userEmail: texts.emailRequired }),
    ...amountProblem(amount),
  };
}

function amountProblem(typed: string): FieldErrors<DepositForm> {
  const amount = typed.trim() === '' ? 0 : amountOf(typed);
  if (Number.isNaN(amount)) return { amount: texts.amountWhole };
  if (amount < 1) return { amount: texts.amountLeast };
  return amount > MOST_AMOUNT ? { amount: texts.amountMost } : {};
}

export function DepositCard() {
  const form = useForm<DepositForm>({
    initialValues: EMPTY,
    checks: errorsIn,
    checkedOn: 'submit',
    send: async ({ userEmail, amount }) => {
      const done = await postMoney<Deposited>('/api/admin/deposit-bolts', {
        userEmail: userEmail.trim(),
        amount: amountOf(amount),
      });
      form.resetForm();
      if (done.isRepeated) toast(texts.repeated, texts.repeatedText(done.userEmail));
      else
        toast(texts.done, texts.doneText(done.userEmail, formatMoney(done.boltsBalance, 'bolts')), 'success');
    },
    title: texts.failed,
  });
  return (
    <Card title={texts.title}>
      <form {...form.props} className={styles.form}>
        <EmailField form={form} />
        <Field label={texts.amount} error={form.errorOf('amount')}>
          {(control) => (
            <input
              {...control}
              {...form.field('amount')}
              type="text"
              inputMode="numeric"
              autoComplete="off"
              className={inputClass}
            />
          )}
        </Field>
        <div>
          <Button type="submit" tone="primary" pending={form.pending} pendingLabel={texts.submitting}>
            {texts.submit}
          </Button>
        </div>
      </form>
    </Card>
  );
}
