import type { User } from '../../../api/types';
import { DepositDialog } from './DepositDialog';
import { WithdrawDialog } from './WithdrawDialog';

export type Way = 'deposit' | 'withdraw';

interface WalletDialogsProps {
  user: User;
  /** Which one is open. */
  way: Way | null;
  onClose: (way: Way) => void;
  /** The user lacks sats for a withdrawal and wants to deposit some. */
  onDeposit: () => void;
}

/** Both stay mounted: a deposit may be paid, and what was typed be wanted, after its dialog was closed. */
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
