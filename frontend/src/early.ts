/** Runs before the page shows, while the large script loads (docs/adr/0006). */
import { firstReads } from './app/first-reads';
import { READY } from './app/ready';
import { applyStoredTheme } from './app/theme';

applyStoredTheme();
keepPress();

const { answers, lists, details = [] } = firstReads(document.documentElement.dataset, window.location);
for (const path of lists) preloadRead(path).dataset.list = '';
for (const path of answers) {
  const link = preloadRead(path);
  link.addEventListener('load', () => isFound(link.href) && details.forEach(preloadRead));
}

// The first formatter of a browser takes more than 100 ms on a slow phone, because the browser reads all its
// locales. Later ones are fast.
setTimeout(() => new Intl.DateTimeFormat('en-US'));

/**
 * Until the large script runs, the buttons of a rendered page do nothing, and the browser itself would send a form and
 * leave the page. The last press is repeated once the script runs.
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
    // Not within React's own work, because React may first have to take over the part with the button.
    setTimeout(() => pressed?.click());
  };
  document.addEventListener(READY, repeat, { once: true });
}

/**
 * `load` also fires for a refused preload, so this checks the status. If the browser does not tell the status, the
 * large script sends the request.
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
