const LATEST_MS = 1500;
const WITHOUT_IDLE_CALLBACKS_MS = 300;

/** When the browser has nothing better to do, or after a moment in any case. */
export function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(() => resolve(), { timeout: LATEST_MS });
    else setTimeout(resolve, WITHOUT_IDLE_CALLBACKS_MS);
  });
}

/** When there is a network; at once where there is one already. */
export function online(): Promise<void> {
  if (navigator.onLine) return Promise.resolve();
  return new Promise((resolve) => {
    window.addEventListener('online', () => resolve(), { once: true });
  });
}
