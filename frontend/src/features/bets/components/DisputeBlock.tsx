import type { Bet } from '../../../api/types';
import { prepared } from '../../../lib/prepared';
import { useLateDialog } from '../../../lib/useLateDialog';
import { resolutionTexts as texts } from '../../../texts/resolution';
import { nextTexts } from '../../../texts/turns';
import { Button } from '../../../ui/Button';
import { personName } from '../parties';
import styles from './panels.module.css';

const dialog = prepared(() => import(/* webpackChunkName: "dispute" */ './DisputeDialog'));

/** Who would rule on a dispute of this bet. */
function rulerOf({ arbiter }: Bet): string {
  return arbiter?.status === 'accepted' ? personName(arbiter) : nextTexts.admin;
}

export function DisputeBlock({ bet, userId }: { bet: Bet; userId: string }) {
  const { shown, awaited, open, close } = useLateDialog<string>(dialog);
  return (
    <div className={styles.block}>
      <p className={styles.muted}>{texts.disputeIntro(rulerOf(bet))}</p>
      <div className={styles.quiet}>
        <Button pending={awaited !== null} onClick={() => void open(bet.id)}>
          {texts.dispute}
        </Button>
      </div>
      {shown && (
        <dialog.Part betId={bet.id} userId={userId} open={shown.open} onClose={() => close(bet.id)} />
      )}
    </div>
  );
}
