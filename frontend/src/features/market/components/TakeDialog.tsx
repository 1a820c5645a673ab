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
  onClose: () => void;
}

/** Says what is at stake before a bet is taken straight from the list. */
export function TakeDialog({ bet, onClose }: TakeDialogProps) {
  const accept = useAction(
    async (taken: Bet) => {
      await acceptBet(taken.id, otherSide(taken.creatorChoice), null);
      onClose();
      toast(texts.acceptedTitle, betToasts.accepted, 'success');
    },
    { title: texts.acceptFailedTitle, fallback: texts.acceptFailed },
  );
  return (
    <Dialog open={bet !== null} title={texts.takeTitle} onClose={onClose}>
      {bet && (
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
              onClick={() => void accept.run(bet)}
            >
              {texts.take}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
