import { useDeferredValue, useEffect, useRef } from 'react';
import type { KeyedMutator } from 'swr';
import type { ApiError } from '../../api/client';
import { keys } from '../../api/keys';
import { useRefreshAll } from '../../api/session';
import type { Bet } from '../../api/types';
import { useApi } from '../../api/useApi';

const REFRESH_MS = 30_000;
const AFTER_DEADLINE_MS = 800;
const RETRY_MS = 3_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

type Read = Bet | null | undefined;

interface BetReading {
  bet: Read;
  error: ApiError | undefined;
  retry: () => void;
}

export function useBet(key: string, token: string | null): BetReading {
  const { data, error, mutate } = useApi(keys.bet(key, token), { refreshInterval: REFRESH_MS });
  useDeadlineRefresh(data, mutate);
  useActionsRefresh(data, mutate);
  useStatusRefresh(data);
  // With a deferred value, React renders a large bet in small steps, so that a slow phone stays responsive.
  const bet = useDeferredValue(data);
  return { bet, error, retry: () => void mutate() };
}

/** Reads the bet again after its next deadline, and repeats this until the server has applied the deadline. */
function useDeadlineRefresh(bet: Read, mutate: KeyedMutator<Bet | null>) {
  const deadline = bet?.next?.at;
  useEffect(() => {
    if (!deadline) return;
    const wait = Math.max(new Date(deadline).getTime() - Date.now(), 0) + AFTER_DEADLINE_MS;
    if (wait > LONGEST_TIMER_MS) return;
    let timer = setTimeout(function look() {
      void mutate();
      timer = setTimeout(look, RETRY_MS);
    }, wait);
    return () => clearTimeout(timer);
  }, [deadline, mutate]);
}

/**
 * Reads the bet again at its expiry and when the acceptor may propose an outcome. At these times the viewer may get
 * other actions, even if the status of the bet does not change.
 */
function useActionsRefresh(bet: Read, mutate: KeyedMutator<Bet | null>) {
  const expiry = bet?.expiresAt;
  const acceptorsTurn = bet?.acceptorMayProposeAt;
  useEffect(() => {
    const waits = [expiry, acceptorsTurn]
      .map((instant) => (instant ? new Date(instant).getTime() - Date.now() : 0))
      .filter((wait) => wait > 0 && wait + AFTER_DEADLINE_MS <= LONGEST_TIMER_MS);
    const timers = waits.map((wait) => setTimeout(() => void mutate(), wait + AFTER_DEADLINE_MS));
    return () => timers.forEach(clearTimeout);
  }, [expiry, acceptorsTurn, mutate]);
}

/** Reads all data on the page again when the status of the bet changes, because the change may have moved money. */
function useStatusRefresh(bet: Read) {
  const refreshAll = useRefreshAll();
  const seen = useRef<string>(undefined);
  const status = bet?.status;
  useEffect(() => {
    if (status && seen.current && seen.current !== status) void refreshAll();
    seen.current = status;
  }, [status, refreshAll]);
}
