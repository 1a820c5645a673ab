/** Runs while the pages' common script is still on its way, for what that would find out too late. */
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
// A browser's first formatter takes a slow phone more than 100 ms, as it looks through all its locales; others follow fast.
new Intl.DateTimeFormat('en-US');

/** A preload that was refused counts as loaded, too. Where a browser does not tell the status, the pages' script asks. */
function isFound(url: string): boolean {
  const [entry] = performance.getEntriesByName(url) as PerformanceResourceTiming[];
  return entry?.responseStatus === 200;
}

/** The pages' script asks for these itself once it runs. */
function preloadUnlessBegun(path: string) {
  if (!hasBegun()) preloadRead(path);
}

function preloadRead(path: string): HTMLLinkElement {
  const link = document.createElement('link');
  Object.assign(link, { rel: 'preload', as: 'fetch', crossOrigin: 'use-credentials', href: path });
  document.head.append(link);
  return link;
}
