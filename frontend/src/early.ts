/** Runs while the pages' common script is still on its way, for what that would find out too late. */
import { isVisitor } from './api/visitor';
import { firstReads, hasBegun } from './app/first-reads';
import { applyStoredTheme } from './app/theme';

applyStoredTheme();
if (!hasBegun()) {
  const { answers, lists } = firstReads(window.location, isVisitor());
  for (const path of [...answers, ...lists]) preloadRead(path);
}
// A browser's first formatter takes a slow phone more than 100 ms, as it looks through all its locales; others follow fast.
new Intl.DateTimeFormat('en-US');

function preloadRead(path: string) {
  const link = document.createElement('link');
  Object.assign(link, { rel: 'preload', as: 'fetch', crossOrigin: 'use-credentials', href: path });
  document.head.append(link);
}
