export type Theme = 'light' | 'dark';

const STORED = 'bolts.theme';
const systemDark = () => window.matchMedia('(prefers-color-scheme: dark)').matches;

/**
 * `early.ts` calls this function before the first paint. If the user has not chosen a theme, the system's theme
 * applies.
 */
export function applyStoredTheme() {
  const stored = chosenTheme();
  if (stored) document.documentElement.dataset.theme = stored;
}

export function currentTheme(): Theme {
  return chosenTheme() ?? (systemDark() ? 'dark' : 'light');
}

const listeners = new Set<() => void>();

export function onThemeChange(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Chooses a theme. Null returns to the system's theme. */
export function chooseTheme(theme: Theme | null) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  try {
    if (theme) localStorage.setItem(STORED, theme);
    else localStorage.removeItem(STORED);
  } catch {
    // Without storage, the choice lasts until the page is loaded again.
  }
  for (const listener of listeners) listener();
}

/** The theme that the user has chosen. Null if the system's theme applies. */
export function chosenTheme(): Theme | null {
  try {
    const stored = localStorage.getItem(STORED);
    return stored === 'light' || stored === 'dark' ? stored : null;
  } catch {
    return null;
  }
}
