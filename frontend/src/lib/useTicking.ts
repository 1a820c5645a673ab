import { useSyncExternalStore } from 'react';

const TICK_MS = 1000;

let current = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function follow(listener: () => void) {
  listeners.add(listener);
  timer ??= setInterval(() => {
    current = Date.now();
    for (const tell of listeners) tell();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function now(): number {
  // Without a running timer, the last value may be old. React asks often, so the value changes only once a second.
  if (Math.abs(Date.now() - current) >= TICK_MS) current = Date.now();
  return current;
}

/**
 * A value that follows from the current time, in ms. The component renders again only if the value changes. All
 * countdowns of a page share one timer.
 */
export function useTicking<T extends string | boolean>(valueAt: (now: number) => T): T {
  return useSyncExternalStore(follow, () => valueAt(now()));
}
