import { useState } from 'react';
import { useRefreshAll } from '../../../api/session';
import type { DepositInvoice } from '../../../api/types';
import { formatNumber } from '../../../lib/money';
import { depositTexts as texts } from '../../../texts/wallet';
import { Dialog } from '../../../ui/Dialog';
import { toast } from '../../../ui/toast-store';
import { useDepositWatch } from '../useDepositWatch';
import { AmountForm } from './AmountForm';
import { InvoiceView } from './InvoiceView';

interface DepositDialogProps {
  open: boolean;
  onClose: () => void;
}

/** The dialog for a deposit. The first step asks for the amount, the second step shows the invoice. */
export function DepositDialog({ open, onClose }: DepositDialogProps) {
  const [invoice, setInvoice] = useState<DepositInvoice | null>(null);
  const refreshAll = useRefreshAll();
  const watch = useDepositWatch(invoice, open, (paidId, credited) => {
    // A late answer may belong to an earlier invoice. Then the dialog stays open for the invoice on screen.
    if (invoice?.invoiceId === paidId) {
      setInvoice(null);
      onClose();
    }
    toast(texts.toasts.paid, texts.toasts.paidText(formatNumber(credited)), 'success');
    void refreshAll();
  });
  function close() {
    if (!open) return;
    onClose();
    // The payment may have arrived just before the dialog closed, so the page polls once more.
    void watch.check().catch(() => undefined);
  }
  const title = invoice ? texts.invoiceTitle(formatNumber(invoice.amount), invoice.isTestMode) : texts.title;
  return (
    <Dialog open={open} title={title} onClose={close}>
      {invoice ? (
        <InvoiceView key={invoice.invoiceId} invoice={invoice} watch={watch} onNew={() => setInvoice(null)} />
      ) : (
        <AmountForm onInvoice={setInvoice} onAdded={onClose} />
      )}
    </Dialog>
  );
}
