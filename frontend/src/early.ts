/** Runs while the large script loads, for the work that cannot wait for that script (docs/adr/0006). */
import { hasBegun, readsOfThisPage } from './app/first-reads';
import { applyStoredTheme } from './app/theme';

applyStoredTheme();
if (!hasBegun()) {
  const { answers, lists, details = [] } = readsOfThisPage();
  for (const path of lists) preloadRead(path);
  for (const path of answers) {
    const link = preloadRead(path);
    link.addEventListener('load', () => isFound(link.href) && details.forEach(preloadUnlessBegun));
  }
}
// The first formatter of a browser takes more than 100 ms on a slow phone, because the browser reads all its
// locales. Later ones are fast.
new Intl.DateTimeFormat('en-US');

/**
 * `load` also fires for a refused preload, so this checks the status. If the browser does not tell the status, the
 * large script sends the request.
 */
function isFound(url: string): boolean {
  const [entry] = performance.getEntriesByName(url) as PerformanceResourceTiming[];
  return entry?.responseStatus === 200;
}

/** Once the large script runs, it sends these requests itself. */
function preloadUnlessBegun(path: string) {
  if (!hasBegun()) preloadRead(path);
}

function preloadRead(path: string): HTMLLinkElement {
  const link = document.createElement('link');
  Object.assign(link, { rel: 'preload', as: 'fetch', crossOrigin: 'use-credentials', href: path });
  document.head.append(link);
  return link;
}
