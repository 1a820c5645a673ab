/** What lives as long as its tab: through a reload and a sign-in, but no further. */
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
    // Without storage all still works; it just isn't kept.
  }
}

export function forget(name: string): void {
  try {
    sessionStorage.removeItem(name);
  } catch {
    // Nothing was kept, so nothing is left to forget.
  }
}
