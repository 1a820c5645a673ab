import { useEffect, useState } from 'react';

/** The longest delay of a timer, in ms. Browsers fire a timer with a longer delay at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The current time. It is updated when one of the given times is reached. */
export function useClock(instants: readonly (string | null | undefined)[]): Date {
  const [now, setNow] = useState(() => new Date());
  const future = instants
    .map((instant) => (instant ? new Date(instant).getTime() : 0))
    .filter((at) => at > now.getTime());
  const nearest = future.length > 0 ? Math.min(...future) : null;
  useEffect(() => {
    if (nearest === null) return;
    const wait = Math.max(nearest - Date.now(), 0);
    if (wait > LONGEST_TIMER_MS) return;
    const timer = setTimeout(() => setNow(new Date(Math.max(Date.now(), nearest))), wait);
    return () => clearTimeout(timer);
  }, [nearest]);
  return now;
}
