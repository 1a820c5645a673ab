export type Theme = 'light' | 'dark';

const STORED = 'bolts.theme';
const systemDark = () => window.matchMedia('(prefers-color-scheme: dark)').matches;

/** Applied by the earliest script, before anything is painted; without a choice the system decides. */
export function applyStoredTheme() {
  const stored = readStored();
  if (stored) document.documentElement.dataset.theme = stored;
}

export function currentTheme(): Theme {
  return readStored() ?? (systemDark() ? 'dark' : 'light');
}

export function chooseTheme(theme: Theme) {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(STORED, theme);
  } catch {
    // A browser that keeps no storage still has the choice for this page.
  }
}

function readStored(): Theme | null {
  try {
    const stored = localStorage.getItem(STORED);
    return stored === 'light' || stored === 'dark' ? stored : null;
  } catch {
    return null;
  }
}
