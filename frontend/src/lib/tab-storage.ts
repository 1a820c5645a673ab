/** Reads a value that the browser keeps until the tab is closed. The value survives a reload and a sign-in. */
export function recall(name: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? 'null');
  } catch {
    return null;
  }
}

export function keep(name: string, value: unknown): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Without storage the value is lost, but everything else works.
  }
}

export function forget(name: string): void {
  try {
    sessionStorage.removeItem(name);
  } catch {
    // Without storage there is no value to remove.
  }
}

/** Forgets all that the user has written in this tab, because another user may sign in here next. */
export function forgetAll(): void {
  try {
    sessionStorage.clear();
  } catch {
    // Without storage there is nothing to remove.
  }
}
