import { useAction } from '../../../api/useAction';
import { LEAST_WITHDRAWAL } from '../../../lib/limits';
import { formatNumber } from '../../../lib/money';
import { withdrawTexts as texts } from '../../../texts/wallet';
import { Button } from '../../../ui/Button';
import { createTestInvoice } from '../api';
import { mostWithdrawable } from '../reserve';
import styles from './wallet.module.css';

const USUAL = 1_000;

interface TestInvoiceButtonProps {
  balance: number;
  onMade: (invoice: string) => void;
}

/**
 * Creates an invoice with which a user can try a withdrawal. The amount is 1,000 sats, or less if the balance is low,
 * but at least 100 sats.
 */
export function TestInvoiceButton({ balance, onMade }: TestInvoiceButtonProps) {
  const amount = Math.max(Math.min(USUAL, mostWithdrawable(balance)), LEAST_WITHDRAWAL);
  const make = useAction(
    async () => {
      const { invoice } = await createTestInvoice(amount);
      onMade(invoice);
    },
    { title: texts.toasts.testInvoiceFailed, fallback: texts.toasts.testInvoiceFallback },
  );
  return (
    <div className={styles.testAdd}>
      <Button
        wide
        pending={make.pending}
        pendingLabel={texts.makingTestInvoice}
        onClick={() => void make.run()}
      >
        {texts.makeTestInvoice}
      </Button>
      <p className={styles.muted}>{texts.testInvoiceHint(formatNumber(amount))}</p>
    </div>
  );
}
