import { useEffect, useRef } from 'react';
import { useSWRConfig } from 'swr';
import { followEvents, type LiveHandlers } from './events';
import { keys } from './keys';
import { refreshLists } from './lists';
import { useRefreshAll } from './session';

/**
 * Repeats reads when a hint on the server's event stream says that their data has changed. Hints carry no data, so a
 * page never shows data that its user may not see.
 */
export function useLiveUpdates(): void {
  const { cache, mutate } = useSWRConfig();
  const refreshAll = useRefreshAll();
  const isAbout = (key: string, betId: string) =>
    key.startsWith('/api/bets/') && (key.includes(betId) || cache.get(key)?.data?.id === betId);
  function readTurns() {
    void mutate(keys.myTurn);
    void mutate(keys.turnCount);
  }
  const handlers: LiveHandlers = {
    notification: () => {
      void mutate(keys.notifications);
      // An unlocked achievement causes a notification, so the achievements may have changed too.
      void mutate(keys.achievements);
      // A dispute sends no hint about the bet to the admins, only the hint about their notification.
      if (!cache.get(keys.user)?.data?.isAdmin) return;
      readTurns();
      void refreshLists(keys.disputes);
    },
    balance: () => {
      void mutate(keys.user);
      void refreshLists(keys.history);
      void refreshLists(keys.withdrawals);
      // This includes the withdrawal on screen.
      void mutate((key) => typeof key === 'string' && key.startsWith(`${keys.withdrawals}/`));
    },
    bet: (betId) => {
      if (betId) void mutate((key) => typeof key === 'string' && isAbout(key, betId));
      void refreshLists(`/api/bets/${betId}/`);
      void mutate(keys.stats);
      void refreshLists('/api/bets/my');
      void refreshLists(keys.arbitrated);
      readTurns();
    },
    missed: () => void refreshAll(),
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
      missed: () => current.current.missed(),
      refused: () => current.current.refused(),
    });
  }, []);
}
