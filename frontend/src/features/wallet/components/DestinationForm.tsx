import { type RefObject, useEffect } from 'react';
import { useIsTestMode } from '../../../api/config';
import type { FieldProblem, User, WithdrawalQuote } from '../../../api/types';
import { amountOf } from '../../../lib/amount';
import { LEAST_WITHDRAWAL } from '../../../lib/limits';
import { formatNumber } from '../../../lib/money';
import { useFocusOnMount } from '../../../lib/useFocusOnMount';
import { type Form, useForm } from '../../../lib/useForm';
import { withdrawTexts as texts } from '../../../texts/wallet';
import { Button } from '../../../ui/Button';
import { Field, inputClass } from '../../../ui/Field';
import { Money } from '../../../ui/Money';
import { quoteWithdrawal } from '../api';
import { destinationOf, isAddress } from '../destination';
import { feeLimit, mostWithdrawable } from '../reserve';
import { destinationSchema, type DestinationForm as Values } from '../schema';
import { ShortOfSats, shortWords } from './ShortOfSats';
import { TestInvoiceButton } from './TestInvoiceButton';
import styles from './wallet.module.css';

const LEAST_NEEDED = LEAST_WITHDRAWAL + feeLimit(LEAST_WITHDRAWAL);

interface DestinationFormProps {
  user: User;
  initial: Values;
  /** The errors with which the server refused a payment to this destination. */
  refused: readonly FieldProblem[];
  onTyped: (values: Values) => void;
  onDeposit: () => void;
  /** `values` are the form values for which the server made the quote. */
  onQuote: (quote: WithdrawalQuote, values: Values) => void;
}

/**
 * The server has different fields for an invoice and a Lightning address, but this form has one field for both. Errors
 * of either field appear at this field.
 */
function ownProblems(problems: readonly FieldProblem[], values: Values): FieldProblem[] {
  const hasAmount = isAddress(values.destination);
  return problems.map(({ field, message }) => ({
    field: field === 'amount' && hasAmount ? 'amount' : 'destination',
    message,
  }));
}

/** The form for the destination of a withdrawal. */
export function DestinationForm(props: DestinationFormProps) {
  const { user, initial, refused, onTyped, onDeposit, onQuote } = props;
  const field = useFocusOnMount<HTMLTextAreaElement>();
  const form = useForm<Values>({
    initialValues: initial,
    checks: destinationSchema,
    refused: ownProblems(refused, initial),
    send: async (values) => {
      const quote = await quoteWithdrawal(destinationOf(values.destination, values.amount));
      onQuote(quote, values);
    },
    problemsOf: ({ fields }, values) => ownProblems(fields, values),
    title: texts.toasts.quoteFailed,
    fallback: texts.toasts.fallback,
    onError: ({ fields }) => fields.length > 0,
  });
  useEffect(() => onTyped(form.values), [form.values, onTyped]);

  async function fillIn(invoice: string) {
    await form.setFieldValue('destination', invoice);
    field.current?.focus();
  }

  const balance = user.satsBalance;
  const needed = neededFor(form.values);
  return (
    <form {...form.props} className={styles.form}>
      <p className={styles.available}>
        {texts.available} <Money amount={balance} currency="sats" />
      </p>
      {balance < LEAST_NEEDED && (
        <ShortOfSats needed={LEAST_NEEDED} balance={balance} purpose={texts.forLeast} onDeposit={onDeposit} />
      )}
      <DestinationField form={form} input={field} />
      {isAddress(form.values.destination) && <AddressAmount form={form} balance={balance} needed={needed} />}
      {needed > balance && balance >= LEAST_NEEDED && (
        <ShortOfSats
          needed={needed}
          balance={balance}
          purpose={texts.forThis}
          isToldAbove
          onDeposit={onDeposit}
        />
      )}
      <Button type="submit" tone="primary" wide pending={form.pending} pendingLabel={texts.reading}>
        {texts.next}
      </Button>
      <TestHelp balance={balance} onMade={(invoice) => void fillIn(invoice)} />
    </form>
  );
}

interface DestinationFieldProps {
  form: Form<Values>;
  input: RefObject<HTMLTextAreaElement | null>;
}

function DestinationField({ form, input }: DestinationFieldProps) {
  return (
    <Field label={texts.destination} hint={texts.destinationHint} error={form.errorOf('destination')}>
      {(control) => (
        <textarea
          {...control}
          ref={input}
          {...form.field('destination')}
          rows={4}
          placeholder={texts.destinationPlaceholder}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          className={`${inputClass} ${styles.mono}`}
        />
      )}
    </Field>
  );
}

interface AddressAmountProps {
  form: Form<Values>;
  balance: number;
  /** The sats that the withdrawal takes from the balance. */
  needed: number;
}

/** The field for the amount of a withdrawal to a Lightning address. */
function AddressAmount({ form, balance, needed }: AddressAmountProps) {
  const most = mostWithdrawable(balance);
  return (
    <Field
      label={texts.amount}
      error={form.errorOf('amount') ?? (needed > balance ? shortWords(needed, balance) : undefined)}
    >
      {(control) => (
        <span className={styles.withMax}>
          <input
            {...control}
            {...form.field('amount')}
            type="text"
            inputMode="numeric"
            autoComplete="off"
            className={inputClass}
          />
          {most >= LEAST_WITHDRAWAL && (
            <Button
              aria-label={texts.maxLabel(formatNumber(most))}
              onClick={() => void form.setFieldValue('amount', String(most))}
            >
              {texts.max}
            </Button>
          )}
        </span>
      )}
    </Field>
  );
}

interface TestHelpProps {
  balance: number;
  onMade: (invoice: string) => void;
}

/** On a site with test sats: a button that creates an invoice for the form. */
function TestHelp(props: TestHelpProps) {
  const isTestMode = useIsTestMode();
  if (!isTestMode) return null;
  return (
    <>
      <TestInvoiceButton {...props} />
      <p className={styles.note}>{texts.testNote}</p>
    </>
  );
}

/**
 * The sats that a withdrawal to a Lightning address takes from the balance: amount and fee limit. 0 for an invoice,
 * and for an amount that is not a number or below the minimum.
 */
function neededFor({ destination, amount }: Values): number {
  const sats = isAddress(destination) ? amountOf(amount) : Number.NaN;
  return sats >= LEAST_WITHDRAWAL ? sats + feeLimit(sats) : 0;
}
