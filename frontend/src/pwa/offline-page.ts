import { persistently } from '../lib/idle';
import { offlineTexts as texts } from '../texts/offline';

/** The pause after a few questions in a row had no answer. */
const PAUSE_MS = 30_000;

/** Brings the offline page to life. `reload` opens the page that the user wanted. */
export function startOfflinePage(reload: () => void): void {
  tellReason();
  window.addEventListener('online', tellReason);
  window.addEventListener('offline', tellReason);
  partOf('again').addEventListener('click', () => void tryAgain(reload));
  comeBack(reload);
}

const partOf = (id: string) => document.getElementById(id) as HTMLElement;

function tellReason(): void {
  partOf('title').textContent = navigator.onLine ? texts.unreachableTitle : texts.title;
  partOf('hint').textContent = navigator.onLine ? texts.unreachable : texts.hint;
}

/** Returns to the page once the server answers, without a press of the button. */
function comeBack(reload: () => void): void {
  persistently(askServer).then(reload, async () => {
    await passed(PAUSE_MS);
    comeBack(reload);
  });
}

/** Resolves after this time, or earlier if the device gets a connection. */
function passed(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
    window.addEventListener('online', () => resolve(), { once: true });
  });
}

async function tryAgain(reload: () => void): Promise<void> {
  const state = partOf('state');
  state.textContent = texts.trying;
  try {
    await askServer();
    reload();
  } catch {
    state.textContent = texts.still;
  }
}

/** Any answer counts. A reload without this question would only show this page again, as if nothing had happened. */
async function askServer(): Promise<void> {
  await fetch(location.href, { method: 'HEAD', cache: 'no-store' });
}
