/** The early script. It runs before the page shows, while the large script loads (docs/adr/0006). */
import { firstReads } from './app/first-reads';
import { READY } from './app/ready';
import { keepInstallPrompt } from './lib/install';
import { applyStoredTheme } from './lib/theme';

applyStoredTheme();
keepInstallPrompt();
keepPress();

const { answers, lists, details = [] } = firstReads(document.documentElement.dataset, window.location);
for (const path of lists) preloadRead(path).dataset.list = '';
for (const path of answers) {
  const link = preloadRead(path);
  link.addEventListener('load', () => isFound(link.href) && details.forEach(preloadRead));
}

// Creates the first formatter while the large script loads. The first one takes more than 100 ms on a slow phone,
// because the browser reads all its locales. Later formatters are fast.
setTimeout(() => new Intl.DateTimeFormat('en-US'));

/**
 * Keeps the last press of a button until the large script runs, and then repeats the press. Without this, the buttons
 * of a rendered page would do nothing until then. A submit button would make the browser send the form and leave the
 * page.
 */
function keepPress() {
  let pressed: HTMLElement | null = null;
  const remember = ({ target }: Event) => {
    pressed = (target as Element).closest('button');
  };
  document.addEventListener('submit', (event) => event.preventDefault());
  document.addEventListener('click', remember);
  const repeat = () => {
    document.removeEventListener('click', remember);
    // Waits until React's current work has ended, because React may first have to hydrate the part with the button.
    setTimeout(() => pressed?.click());
  };
  document.addEventListener(READY, repeat, { once: true });
}

/**
 * Whether the server has answered a preload with 200. The `load` event alone does not prove this, because it also fires
 * for an error status. If the browser does not report the status, the large script sends the follow-up request.
 */
function isFound(url: string): boolean {
  const [entry] = performance.getEntriesByName(url) as PerformanceResourceTiming[];
  return entry?.responseStatus === 200;
}

function preloadRead(path: string): HTMLLinkElement {
  const link = document.createElement('link');
  Object.assign(link, { rel: 'preload', as: 'fetch', crossOrigin: 'use-credentials', href: path });
  document.head.append(link);
  return link;
}
