import type { Bet } from '../../../api/types';
import { betPageTexts, betTexts } from '../../../texts/bets';
import { commonTexts } from '../../../texts/common';
import { takeTexts as texts } from '../../../texts/take';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { optionText, otherSide } from '../parties';
import { warnsOfMethod } from '../status';
import { type TakeWords, useTake } from '../useTake';
import { TakersRisk } from './Risk';
import styles from './TakeDialog.module.css';

interface TakeDialogProps {
  bet: Bet | null;
  /** The share token from the link of a private bet. */
  shareToken?: string | null;
  words: TakeWords;
  /** Closes the dialog if it is still open for this bet. */
  onClose: (bet: Bet) => void;
}

/** Shows the stake and asks for a confirmation after a click on a bet's open half. */
export function TakeDialog({ bet, shareToken = null, words, onClose }: TakeDialogProps) {
  return (
    <Dialog open={bet !== null} title={texts.title} onClose={() => bet && onClose(bet)}>
      {bet && (
        <Offer key={bet.id} bet={bet} shareToken={shareToken} words={words} onClose={() => onClose(bet)} />
      )}
    </Dialog>
  );
}

interface OfferProps {
  bet: Bet;
  shareToken: string | null;
  words: TakeWords;
  onClose: () => void;
}

/**
 * Each bet has its own component and its own request. A user may close the dialog and open it for another bet while
 * the first request runs.
 */
function Offer({ bet, shareToken, words, onClose }: OfferProps) {
  const take = useTake(bet, shareToken, words, onClose);
  return (
    <div className={styles.body}>
      <p className={styles.title}>{bet.title}</p>
      <p>{betPageTexts.takeSide(optionText(bet, otherSide(bet.creatorChoice)))}</p>
      {warnsOfMethod(bet) && <p className={styles.warning}>{betTexts.manualWarning}</p>}
      <TakersRisk bet={bet}>
        {(isShort) => (
          <div className={styles.actions}>
            <Button onClick={onClose}>{commonTexts.cancel}</Button>
            <Button
              tone="primary"
              disabled={isShort}
              pending={take.pending}
              pendingLabel={texts.taking}
              onClick={() => void take.run()}
            >
              {texts.take}
            </Button>
          </div>
        )}
      </TakersRisk>
    </div>
  );
}
