import type { User } from '../../../api/types';
import { DepositDialog } from './DepositDialog';
import { WithdrawDialog } from './WithdrawDialog';

export type Way = 'deposit' | 'withdraw';

interface WalletDialogsProps {
  user: User;
  /** The dialog that is open, or null. */
  way: Way | null;
  onClose: (way: Way) => void;
  /** Called when the user lacks sats for a withdrawal and wants to deposit some. */
  onDeposit: () => void;
}

/**
 * Both dialogs stay mounted while they are closed. So the page notices a payment of a deposit after the dialog is
 * closed, and a dialog that opens again still has the typed input.
 */
export default function WalletDialogs({ user, way, onClose, onDeposit }: WalletDialogsProps) {
  return (
    <>
      <DepositDialog open={way === 'deposit'} onClose={() => onClose('deposit')} />
      <WithdrawDialog
        user={user}
        open={way === 'withdraw'}
        onClose={() => onClose('withdraw')}
        onDeposit={onDeposit}
      />
    </>
  );
}
