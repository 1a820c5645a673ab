import { useEffect, useRef } from 'react';
import { useSWRConfig } from 'swr';
import { followEvents, type LiveHandlers } from './events';
import { keys } from './keys';
import { refreshLists } from './lists';
import { useRefreshAll } from './session';

/** Reads again what the server hints at; hints carry no data, so a page never shows what it may not see. */
export function useLiveUpdates(): void {
  const { cache, mutate } = useSWRConfig();
  const refreshAll = useRefreshAll();
  const isAbout = (key: string, betId: string) =>
    key.startsWith('/api/bets/') && (key.includes(betId) || cache.get(key)?.data?.id === betId);
  const handlers: LiveHandlers = {
    notification: () => {
      void mutate(keys.notifications);
      // What unlocks an achievement also notifies.
      void mutate(keys.achievements);
    },
    balance: () => {
      void mutate(keys.user);
      void refreshLists(keys.history);
      void refreshLists(keys.withdrawals);
      // The one that is looked at, too.
      void mutate((key) => typeof key === 'string' && key.startsWith(`${keys.withdrawals}/`));
    },
    bet: (betId) => {
      if (betId) void mutate((key) => typeof key === 'string' && isAbout(key, betId));
      void mutate(keys.stats);
      void refreshLists('/api/bets/my');
    },
    reconnected: () => void refreshAll(),
    refused: () => void mutate(keys.user),
  };
  const current = useRef(handlers);
  current.current = handlers;
  useEffect(() => {
    if (!('EventSource' in window)) return;
    return followEvents({
      notification: () => current.current.notification(),
      balance: () => current.current.balance(),
      bet: (betId) => current.current.bet(betId),
      reconnected: () => current.current.reconnected(),
      refused: () => current.current.refused(),
    });
  }, []);
}
