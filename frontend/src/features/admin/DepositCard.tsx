import { type FormEvent, useRef, useState } from 'react';
import { postMoney } from '../../api/client';
import { useAction } from '../../api/useAction';
import { fieldErrors, focusFirstInvalid } from '../../lib/forms';
import { formatMoney } from '../../lib/money';
import { adminTexts } from '../../texts/admin';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Field, inputClass } from '../../ui/Field';
import { toast } from '../../ui/toast-store';
import styles from './admin.module.css';

const texts = adminTexts.deposit;
const MOST = 100_000_000;
const EMPTY = { userEmail: '', amount: '' };
type Problems = Partial<Record<keyof typeof EMPTY, string>>;

interface Deposited {
  userEmail: string;
  boltsBalance: number;
}

function problemsOf({ userEmail, amount }: typeof EMPTY): Problems {
  const units = amount.trim() === '' ? Number.NaN : Number(amount);
  return {
    ...(!userEmail.trim() && { userEmail: texts.emailRequired }),
    ...(!(Number.isInteger(units) && units >= 1) && { amount: texts.amountLeast }),
    ...(units > MOST && { amount: texts.amountMost }),
  };
}

export function DepositCard() {
  const element = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(EMPTY);
  const [problems, setProblems] = useState<Problems>({});
  const deposit = useAction(
    async () => {
      const done = await postMoney<Deposited>('/api/admin/deposit-bolts', {
        userEmail: values.userEmail.trim(),
        amount: Number(values.amount),
      });
      setValues(EMPTY);
      toast(texts.done, texts.doneText(done.userEmail, formatMoney(done.boltsBalance, 'bolts')), 'success');
    },
    {
      title: texts.failed,
      onError: (error) => {
        setProblems(fieldErrors(error.fields, EMPTY));
        focusFirstInvalid(element.current);
        return false;
      },
    },
  );
  function submit(event: FormEvent) {
    event.preventDefault();
    const found = problemsOf(values);
    setProblems(found);
    if (Object.keys(found).length > 0) focusFirstInvalid(element.current);
    else void deposit.run();
  }
  const change = (name: keyof typeof EMPTY) => (event: { target: { value: string } }) =>
    setValues({ ...values, [name]: event.target.value });
  return (
    <Card title={texts.title}>
      <form ref={element} className={styles.form} noValidate onSubmit={submit}>
        <Field label={texts.email} error={problems.userEmail}>
          {(control) => (
            <input
              {...control}
              type="email"
              autoComplete="off"
              placeholder={texts.emailPlaceholder}
              className={inputClass}
              value={values.userEmail}
              onChange={change('userEmail')}
            />
          )}
        </Field>
        <Field label={texts.amount} error={problems.amount}>
          {(control) => (
            <input
              {...control}
              type="number"
              min={1}
              step={1}
              inputMode="numeric"
              className={inputClass}
              value={values.amount}
              onChange={change('amount')}
            />
          )}
        </Field>
        <div>
          <Button type="submit" tone="primary" pending={deposit.pending} pendingLabel={texts.submitting}>
            {texts.submit}
          </Button>
        </div>
      </form>
    </Card>
  );
}
