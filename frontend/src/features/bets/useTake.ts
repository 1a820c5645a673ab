import type { Bet } from '../../api/types';
import { type Action, useAction } from '../../api/useAction';
import { betToasts } from '../../texts/bets';
import { marketTexts } from '../../texts/market';
import { toast } from '../../ui/toast-store';
import { acceptBet } from './api';
import { otherSide } from './parties';

/** The toasts of a page that offers the open side of a bet. */
export interface TakeWords {
  acceptedTitle: string;
  failedTitle: string;
  /** Shown if the server gives no reason. */
  failed?: string;
}

export const MARKET_WORDS: TakeWords = {
  acceptedTitle: marketTexts.acceptedTitle,
  failedTitle: marketTexts.acceptFailedTitle,
  failed: marketTexts.acceptFailed,
};

export const BET_PAGE_WORDS: TakeWords = {
  acceptedTitle: betToasts.acceptedTitle,
  failedTitle: betToasts.acceptFailed,
};

/** Takes the open side of a bet. `onEnd` runs if the bet was taken, or cannot be taken as offered. */
export function useTake(
  bet: Bet,
  shareToken: string | null,
  { acceptedTitle, failedTitle, failed }: TakeWords,
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
      onError: ({ status }) => {
        // The toast gives the reason, and the read of the bet is repeated.
        if (status === 404 || status === 409) onEnd?.();
        return false;
      },
    },
  );
}
