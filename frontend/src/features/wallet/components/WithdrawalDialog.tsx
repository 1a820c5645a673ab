import type { Withdrawal } from '../../../api/types';
import { formatNumber } from '../../../lib/money';
import { withdrawTexts as texts } from '../../../texts/wallet';
import { Dialog } from '../../../ui/Dialog';
import { WithdrawalDetail } from './WithdrawalDetail';

interface WithdrawalDialogProps {
  withdrawal: Withdrawal;
  open: boolean;
  onClose: () => void;
}

/** Shows the details of a withdrawal that the user has chosen in the list. */
export default function WithdrawalDialog({ withdrawal, open, onClose }: WithdrawalDialogProps) {
  return (
    <Dialog open={open} title={texts.detailTitle(formatNumber(withdrawal.amount))} onClose={onClose}>
      <WithdrawalDetail withdrawal={withdrawal} onDone={onClose} />
    </Dialog>
  );
}
