import { useEffect, useState } from 'react';

const LATEST_MS = 1500;
const WITHOUT_IDLE_CALLBACKS_MS = 300;

/** When the browser has nothing better to do, or after a moment in any case. */
export function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(() => resolve(), { timeout: LATEST_MS });
    else setTimeout(resolve, WITHOUT_IDLE_CALLBACKS_MS);
  });
}

/** Whether the first idle moment has been: what comes beside a page must not compete with the page itself. */
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

/** When there is a network; at once where there is one already. */
function online(): Promise<void> {
  if (navigator.onLine) return Promise.resolve();
  return new Promise((resolve) => {
    window.addEventListener('online', () => resolve(), { once: true });
  });
}

const PAUSES_MS = [2_000, 4_000, 8_000];

/** What `load` gives, tried again with longer and longer pauses: a browser is online before its network carries. */
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
