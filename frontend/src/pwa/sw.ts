/**
 * The service worker: it shows the offline page, and the notifications that the server sends by web push. Its file has
 * no hash in its name, because browsers look at the same address for a newer version.
 */
import { messageOf, open, renew, show } from './push';
import type { WorkerScope } from './scope';
import { Shell } from './shell';

const scope = self as unknown as WorkerScope;

/** The build writes the paths of the offline page and its files here (scripts/shell-plugin.mjs). */
const shell = new Shell('__SHELL__' as unknown as [string, ...string[]]);

scope.addEventListener('install', (event) => {
  // Requests to the API then do not even start the worker. Other browsers ask the worker, which leaves them alone.
  const rules = event.addRoutes?.({ condition: { urlPattern: '/api/*' }, source: 'network' });
  // A new version need not wait until the tabs of the old one are closed, because pages do not depend on the worker.
  event.waitUntil(Promise.all([rules, shell.keep(), scope.skipWaiting()]));
});

scope.addEventListener('activate', (event) => {
  // The browser then sends a navigation while the worker starts.
  const preload = scope.registration.navigationPreload?.enable();
  event.waitUntil(Promise.all([preload, shell.forgetOthers(), scope.clients.claim()]));
});

scope.addEventListener('fetch', (event) => {
  const answer = shell.answer(event.request, event.preloadResponse);
  if (answer) event.respondWith(answer);
});

scope.addEventListener('push', (event) => {
  event.waitUntil(show(messageOf(event.data), scope.registration, scope.navigator));
});

scope.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data, scope.clients));
});

scope.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renew(event, scope.registration));
});
