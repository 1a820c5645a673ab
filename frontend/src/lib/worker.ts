import { logFailure } from './log';

/**
 * Registers the service worker (src/pwa/sw.ts), and waits until it is active. Null if this browser has no service
 * workers or refuses this one, and while the pages are developed: a worker would outlive the development server.
 */
export async function startWorker(): Promise<ServiceWorkerRegistration | null> {
  if (process.env.NODE_ENV !== 'production' || !('serviceWorker' in navigator)) return null;
  try {
    const registered: unknown = await navigator.serviceWorker.register('/sw.js');
    // Browsers that block workers without an error, as in tests, register nothing. They would never be ready.
    return registered ? await navigator.serviceWorker.ready : null;
  } catch (error) {
    logFailure('The service worker could not be registered', error);
    return null;
  }
}
