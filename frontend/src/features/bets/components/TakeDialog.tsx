import type { Bet } from '../../../api/types';
import { useAction } from '../../../api/useAction';
import { betPageTexts, betTexts, betToasts } from '../../../texts/bets';
import { commonTexts } from '../../../texts/common';
import { marketTexts as texts } from '../../../texts/market';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { toast } from '../../../ui/toast-store';
import { TestTag } from '../../../ui/Unit';
import { acceptBet } from '../../bets/api';
import { optionText, otherSide } from '../../bets/names';
import styles from './TakeDialog.module.css';

interface TakeDialogProps {
  bet: Bet | null;
  /** Closes it where it is still open for this bet. */
  onClose: (bet: Bet) => void;
}

/** Says what is at stake before a bet is taken straight from the list. */
export function TakeDialog({ bet, onClose }: TakeDialogProps) {
  return (
    <Dialog open={bet !== null} title={texts.takeTitle} onClose={() => bet && onClose(bet)}>
      {bet && <Offer key={bet.id} bet={bet} onClose={() => onClose(bet)} />}
    </Dialog>
  );
}

/** Each bet is taken for itself: the dialog may be closed, and opened for another, while the taking runs. */
function Offer({ bet, onClose }: { bet: Bet; onClose: () => void }) {
  const accept = useAction(
    async () => {
      await acceptBet(bet.id, otherSide(bet.creatorChoice), null);
      onClose();
      toast(texts.acceptedTitle, betToasts.accepted, 'success');
    },
    {
      title: texts.acceptFailedTitle,
      fallback: texts.acceptFailed,
      onError: ({ status }) => {
        // It cannot be taken as it was offered: the toast says why, and the list is read again.
        if (status === 404 || status === 409) onClose();
        return false;
      },
    },
  );
  return (
    <div className={styles.body}>
      <p className={styles.title}>{bet.title}</p>
      <p>{betPageTexts.takeSide(optionText(bet, otherSide(bet.creatorChoice)))}</p>
      {bet.resolutionMethod === 'Manual Verification' && (
        <p className={styles.warning}>{betTexts.manualWarning}</p>
      )}
      <p className={styles.risk}>
        {betTexts.risk(bet.stakeAmount, bet.currencyType)} <TestTag currency={bet.currencyType} />
      </p>
      <div className={styles.actions}>
        <Button onClick={onClose}>{commonTexts.cancel}</Button>
        <Button
          tone="primary"
          pending={accept.pending}
          pendingLabel={texts.taking}
          onClick={() => void accept.run()}
        >
          {texts.take}
        </Button>
      </div>
    </div>
  );
}
