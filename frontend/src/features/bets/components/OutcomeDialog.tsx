import type { Bet, Outcome } from '../../../api/types';
import { resolutionTexts as texts } from '../../../texts/resolution';
import { ConfirmDialog } from '../../../ui/Dialog';
import { outcomeText } from '../parties';
import { payoutWords } from '../payouts';

interface OutcomeDialogProps {
  bet: Bet;
  userId: string;
  /** The outcome to confirm. If null, the dialog is closed. */
  outcome: Outcome | null;
  title: string;
  confirmLabel: string;
  pendingLabel: string;
  pending: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks for a confirmation before an outcome settles a bet, and shows how much each party gets. */
export function OutcomeDialog({ bet, userId, outcome, ...dialog }: OutcomeDialogProps) {
  return (
    <ConfirmDialog
      {...dialog}
      open={outcome !== null}
      message={
        outcome && (
          <>
            <b>{outcomeText(bet, outcome)}.</b> {payoutWords(bet, outcome, userId)} {texts.settlesAtOnce}
          </>
        )
      }
    />
  );
}
