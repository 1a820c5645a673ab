/** The offer of Chromium to install the site as an app. It can be used once. */
interface InstallPrompt extends Event {
  prompt: () => Promise<unknown>;
}

declare global {
  interface Window {
    /** The two scripts of a page share no modules, so the early one leaves the offer here. */
    boltsInstall?: InstallPrompt | undefined;
  }
}

/** Keeps the offer, which comes once and may come before the large script runs. The browser then shows none by itself. */
export function keepInstallPrompt(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    window.boltsInstall = event as InstallPrompt;
  });
}

/** Ends the offer on the page, as the browser's own event does after an installation. */
const USED = 'bolts:install-used';

export function installPrompt(): InstallPrompt | null {
  return window.boltsInstall ?? null;
}

export function onInstallPrompt(listener: () => void): () => void {
  const end = () => {
    window.boltsInstall = undefined;
    listener();
  };
  const listeners = { beforeinstallprompt: listener, appinstalled: end, [USED]: end };
  for (const [name, react] of Object.entries(listeners)) window.addEventListener(name, react);
  return () => {
    for (const [name, react] of Object.entries(listeners)) window.removeEventListener(name, react);
  };
}

/** Asks the user whether the browser shall install the app. */
export async function install(offer: InstallPrompt): Promise<void> {
  window.dispatchEvent(new Event(USED));
  await offer.prompt();
}
