export type Theme = 'light' | 'dark';

const STORED = 'bolts.theme';
const systemDark = () => window.matchMedia('(prefers-color-scheme: dark)').matches;

/**
 * `early.ts` calls this function before the first paint. If the user has not chosen a theme, the system's theme
 * applies.
 */
export function applyStoredTheme() {
  const stored = readStored();
  if (stored) document.documentElement.dataset.theme = stored;
}

export function currentTheme(): Theme {
  return readStored() ?? (systemDark() ? 'dark' : 'light');
}

const listeners = new Set<() => void>();

export function onThemeChange(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function chooseTheme(theme: Theme) {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(STORED, theme);
  } catch {
    // Without storage, the choice lasts until the page is loaded again.
  }
  for (const listener of listeners) listener();
}

function readStored(): Theme | null {
  try {
    const stored = localStorage.getItem(STORED);
    return stored === 'light' || stored === 'dark' ? stored : null;
  } catch {
    return null;
  }
}
