import { useSyncExternalStore } from 'react';
import { countdownTexts as texts } from '../../texts/bets';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The time left until an instant, in at most two units. Null after the instant. */
export function timeLeft(until: string, now: number): { words: string; isSoon: boolean } | null {
  const left = new Date(until).getTime() - now;
  if (left <= 0) return null;
  const [days, hours] = [Math.floor(left / DAY_MS), Math.floor((left % DAY_MS) / HOUR_MS)];
  const minutes = Math.floor((left % HOUR_MS) / MINUTE_MS);
  if (days >= 2) return { words: texts.days(days), isSoon: false };
  if (days === 1) return { words: texts.dayAndHours(hours), isSoon: false };
  return { words: hours > 0 ? texts.hours(hours, minutes) : texts.minutes(minutes), isSoon: true };
}

let current = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function follow(listener: () => void) {
  listeners.add(listener);
  timer ??= setInterval(() => {
    current = Date.now();
    for (const tell of listeners) tell();
  }, MINUTE_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function now() {
  // Without a running timer, the last value may be old. React asks for the value often, so it changes only once a minute.
  if (Math.abs(Date.now() - current) >= MINUTE_MS) current = Date.now();
  return current;
}

/** The current time, in ms. It is updated every minute. All countdowns of a page share one timer. */
export function useMinute(): number {
  return useSyncExternalStore(follow, now);
}
