const STORED = 'bolts.shortcuts';
const listeners = new Set<() => void>();

/** Whether the single-key shortcuts work in this browser. Users can turn them off (WCAG 2.1.4). */
export function areShortcutsOn(): boolean {
  try {
    return localStorage.getItem(STORED) !== 'off';
  } catch {
    return true;
  }
}

export function onShortcutsChange(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function turnShortcuts(on: boolean) {
  try {
    if (on) localStorage.removeItem(STORED);
    else localStorage.setItem(STORED, 'off');
  } catch {
    // Without storage, the shortcuts stay on.
  }
  for (const listener of listeners) listener();
}
