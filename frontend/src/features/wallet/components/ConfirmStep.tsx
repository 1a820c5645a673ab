import { type ReactNode, useRef } from 'react';
import type { MoneyAnswer } from '../../../api/client';
import type { FieldProblem, User, Withdrawal, WithdrawalQuote } from '../../../api/types';
import { formatNumber } from '../../../lib/money';
import { useFocusOnMount } from '../../../lib/useFocusOnMount';
import { useForm } from '../../../lib/useForm';
import { withdrawTexts as texts } from '../../../texts/wallet';
import { AccountName } from '../../../ui/AccountName';
import { Button } from '../../../ui/Button';
import { CurrentPassword } from '../../../ui/CurrentPassword';
import { Fact, Facts } from '../../../ui/Facts';
import { Money } from '../../../ui/Money';
import { Time } from '../../../ui/Time';
import { toast } from '../../../ui/toast-store';
import { mayBeWithdrawn, withdraw } from '../api';
import type { Destination } from '../destination';
import { passwordSchema } from '../schema';
import { FeeLimit } from './FeeLimit';
import { ShortOfSats } from './ShortOfSats';
import styles from './wallet.module.css';

interface ConfirmStepProps {
  user: User;
  destination: Destination;
  quote: WithdrawalQuote;
  onBack: () => void;
  onDeposit: () => void;
  /** Called if the server refuses the destination. The problems belong to the fields of the previous step. */
  onRefused: (problems: readonly FieldProblem[]) => void;
  onSent: (withdrawal: MoneyAnswer<Withdrawal>) => void;
}

/** Shows amount, payee and cost of a withdrawal. The user confirms them with the password. */
export function ConfirmStep(props: ConfirmStepProps) {
  const { user, destination, quote, onBack, onDeposit } = props;
  const place = useFocusOnMount<HTMLDivElement>();
  const held = quote.amount + quote.feeLimit;
  const facts = (
    <div ref={place} tabIndex={-1} className={styles.place}>
      <QuoteFacts quote={quote} />
    </div>
  );
  if (user.satsBalance >= held || mayBeWithdrawn(destination))
    return <PasswordForm {...props} facts={facts} />;
  return (
    <div className={styles.form}>
      {facts}
      <ShortOfSats needed={held} balance={user.satsBalance} purpose={texts.forThis} onDeposit={onDeposit} />
      <div className={styles.actions}>
        <Button onClick={onBack}>{texts.back}</Button>
      </div>
    </div>
  );
}

/** Asks for the password and sends the withdrawal request. */
function PasswordForm(props: ConfirmStepProps & { facts: ReactNode }) {
  const { user, destination, quote, onBack, onRefused, onSent, facts } = props;
  const isOrdered = useRef(false);
  const form = useForm({
    initialValues: { password: '' },
    checks: passwordSchema,
    send: async ({ password }) => {
      // A double click must send one request only, even if the answer arrives between the two clicks.
      if (isOrdered.current) return;
      const withdrawal = await withdraw(destination, password);
      isOrdered.current = true;
      onSent(withdrawal);
    },
    title: texts.toasts.failed,
    fallback: texts.toasts.fallback,
    onError: ({ isUnclear, message, fields }) => {
      if (isUnclear) {
        toast(texts.toasts.unclearTitle, `${message} ${texts.toasts.unclear}`.trim(), 'destructive');
        return true;
      }
      const elsewhere = fields.filter(({ field }) => field !== 'password');
      if (elsewhere.length > 0) onRefused(elsewhere);
      return fields.length > 0;
    },
  });
  return (
    <form {...form.props} className={styles.form}>
      {facts}
      <AccountName email={user.email} />
      <CurrentPassword form={form} label={texts.password} />
      <p className={styles.muted}>{texts.passwordHint}</p>
      <div className={styles.actions}>
        <Button onClick={onBack}>{texts.back}</Button>
        <Button type="submit" tone="primary" pending={form.pending} pendingLabel={texts.confirming}>
          {texts.confirm(formatNumber(quote.amount))}
        </Button>
      </div>
    </form>
  );
}

function QuoteFacts({ quote }: { quote: WithdrawalQuote }) {
  const { facts } = texts;
  return (
    <Facts look="ruled">
      <Fact name={facts.amount}>
        <Money amount={quote.amount} currency="sats" />
      </Fact>
      <Fact name={facts.fee}>
        <FeeLimit feeLimit={quote.feeLimit} />
      </Fact>
      <Fact name={facts.held}>
        <Money amount={quote.amount + quote.feeLimit} currency="sats" />
      </Fact>
      {quote.lightningAddress && <Fact name={facts.to}>{quote.lightningAddress}</Fact>}
      {quote.payee && (
        <Fact name={facts.to}>
          {texts.payee} <span className={styles.code}>{quote.payee}</span>
        </Fact>
      )}
      {quote.description && <Fact name={facts.description}>{quote.description}</Fact>}
      {quote.expiresAt && (
        <Fact name={facts.expires}>
          <Time at={quote.expiresAt} />
        </Fact>
      )}
    </Facts>
  );
}
