import type { Bet } from '../../api/types';
import { type Action, useAction } from '../../api/useAction';
import { betToasts } from '../../texts/bets';
import { takeTexts } from '../../texts/take';
import { toast } from '../../ui/toast-store';
import { acceptBet } from './api';
import { otherSide } from './parties';

/** The toast texts of a page on which users can take bets. */
export interface TakeWords {
  acceptedTitle: string;
  failedTitle: string;
  /** The text of the failure toast if the server gives no reason. */
  failed?: string;
  /** Replaces the usual text of the failure toast if the session has ended. */
  unauthorized?: string;
}

export const MARKET_WORDS: TakeWords = {
  acceptedTitle: takeTexts.acceptedTitle,
  failedTitle: takeTexts.failedTitle,
  failed: takeTexts.failed,
};

export const BET_PAGE_WORDS: TakeWords = {
  acceptedTitle: betToasts.acceptedTitle,
  failedTitle: betToasts.acceptFailed,
};

/** Takes the open side of a bet. `onEnd` runs after a success, and if the bet is gone or can no longer be taken. */
export function useTake(
  bet: Bet,
  shareToken: string | null,
  { acceptedTitle, failedTitle, failed, unauthorized }: TakeWords,
  onEnd?: () => void,
): Action<[]> {
  return useAction(
    async () => {
      await acceptBet(bet.id, otherSide(bet.creatorChoice), shareToken);
      onEnd?.();
      toast(acceptedTitle, betToasts.accepted, 'success');
    },
    {
      title: failedTitle,
      ...(failed && { fallback: failed }),
      ...(unauthorized && { unauthorized }),
      onError: ({ status }) => {
        // The bet is gone or has changed. A toast shows the reason, and the page reads the bet again.
        if (status === 404 || status === 409) onEnd?.();
        return false;
      },
    },
  );
}
