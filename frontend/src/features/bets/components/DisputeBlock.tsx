import type { Bet } from '../../../api/types';
import { prepared } from '../../../lib/prepared';
import { useLateDialog } from '../../../lib/useLateDialog';
import { resolutionTexts as texts } from '../../../texts/resolution';
import { Button } from '../../../ui/Button';
import styles from './panels.module.css';

const dialog = prepared(() => import(/* webpackChunkName: "dispute" */ './DisputeDialog'));

export function DisputeBlock({ bet }: { bet: Bet }) {
  const { shown, awaited, open, close } = useLateDialog<string>(dialog);
  return (
    <div className={styles.block}>
      <p className={styles.muted}>{texts.disputeIntro}</p>
      <div className={styles.quiet}>
        <Button pending={awaited !== null} onClick={() => void open(bet.id)}>
          {texts.dispute}
        </Button>
      </div>
      {shown && <dialog.Part betId={bet.id} open={shown.open} onClose={() => close(bet.id)} />}
    </div>
  );
}
