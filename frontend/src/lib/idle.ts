import { useEffect, useState } from 'react';

const LATEST_MS = 1500;
const WITHOUT_IDLE_CALLBACKS_MS = 300;

/**
 * Resolves when the next frame is on the screen. A busy browser shows a frame only when the following one begins. A page
 * in the background shows no frames, so the wait ends after `LATEST_MS` at the latest.
 */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, LATEST_MS);
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
  });
}

/** Resolves when the browser has shown the page and is idle, after 3 seconds at the latest. */
export async function idle(): Promise<void> {
  await painted();
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function')
      requestIdleCallback(() => resolve(), { timeout: LATEST_MS });
    else setTimeout(resolve, WITHOUT_IDLE_CALLBACKS_MS);
  });
}

/**
 * Whether the browser has been idle once. Less important parts of a page wait for this, so that they do not slow down
 * the rest of the page.
 */
export function useIdle(): boolean {
  const [reached, setReached] = useState(false);
  useEffect(() => {
    let left = false;
    void idle().then(() => !left && setReached(true));
    return () => {
      left = true;
    };
  }, []);
  return reached;
}

/** Resolves when the browser is online. */
function online(): Promise<void> {
  if (navigator.onLine) return Promise.resolve();
  return new Promise((resolve) => {
    window.addEventListener('online', () => resolve(), { once: true });
  });
}

const PAUSES_MS = [2_000, 4_000, 8_000];

/**
 * Calls `load` up to four times until it succeeds, with growing pauses. One call is not enough, because a browser
 * reports 'online' before the network works.
 */
export async function persistently<T>(load: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES_MS) {
    await online();
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return load();
}

/** Makes a part of a page load when the browser is idle, so that the first screen shows faster. Tries several times. */
export const whenIdle =
  <T>(load: () => Promise<T>) =>
  () =>
    idle().then(() => persistently(load));
