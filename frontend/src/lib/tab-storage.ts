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
