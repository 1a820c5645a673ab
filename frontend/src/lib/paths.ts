/** The way back after a sign-in: a path of this site and nothing else, or the start page. */
export function safePath(wanted: string | null): string {
  if (!wanted || !/^\/(?![/\\])/.test(wanted)) return '/';
  try {
    const url = new URL(wanted, window.location.origin);
    if (url.origin !== window.location.origin || url.pathname === '/auth') return '/';
    return url.pathname + url.search + url.hash;
  } catch {
    return '/';
  }
}

export function authPath(from: string): string {
  return from === '/' || from === '/landing' ? '/auth' : `/auth?next=${encodeURIComponent(from)}`;
}

/** A full page load, so that nothing of the former session stays in memory. */
export function fullLoad(path: string): void {
  window.location.assign(path);
}
