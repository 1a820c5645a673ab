/** Where a browser goes that is told this path: without dots in it, or nothing where it leads to another site. */
function resolved(path: string): string | undefined {
  // A browser takes '//host' and '/\host' for another site, and it drops tabs and line ends wherever they are.
  if (!/^\/(?![/\\])/.test(path) || /[\p{Cc}\\]/u.test(path)) return undefined;
  try {
    const { origin, pathname, search, hash } = new URL(path, window.location.origin);
    return origin === window.location.origin ? pathname + search + hash : undefined;
  } catch {
    return undefined;
  }
}

/** The way back after a sign-in: a path of this site and nothing else, or the start page. */
export function safePath(wanted: string | null): string {
  const path = wanted && resolved(wanted);
  // Once its dots are gone, '/.//host' is '//host': what comes out has to be a path of this site too.
  if (!path || resolved(path) !== path || new URL(path, window.location.origin).pathname === '/auth')
    return '/';
  return path;
}

export function authPath(from: string): string {
  return from === '/' || from === '/landing' ? '/auth' : `/auth?next=${encodeURIComponent(from)}`;
}

/** A full page load, so that nothing of the former session stays in memory. */
export function fullLoad(path: string): void {
  window.location.assign(path);
}
