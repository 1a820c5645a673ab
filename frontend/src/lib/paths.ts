import type { Path } from 'react-router-dom';

/**
 * The path that a browser would open for this text, with '.' and '..' resolved. Undefined if the text leads to another
 * site.
 */
function resolved(path: string): string | undefined {
  // Browsers read '//host' and '/\host' as another site, and drop tabs and line ends anywhere in the text.
  if (!/^\/(?![/\\])/.test(path) || /[\p{Cc}\\]/u.test(path)) return undefined;
  try {
    const { origin, pathname, search, hash } = new URL(path, location.origin);
    return origin === location.origin ? pathname + search + hash : undefined;
  } catch {
    return undefined;
  }
}

/** The path to open after a sign-in, or for a notification: a path of this site, or the start page. */
export function safePath(wanted: string | null): string {
  const path = wanted && resolved(wanted);
  // Resolving '/.//host' gives '//host', which is another site. So the resolved path must be checked too.
  if (!path || resolved(path) !== path || new URL(path, location.origin).pathname === '/auth') return '/';
  return path;
}

/**
 * The path of the sign-in page with the path to return to. A return to the start page needs no parameter. The page of a
 * link in a mail is not returned to, because it takes the token of the mail out of the address.
 */
export function authPath({ pathname, search, hash }: Path): string {
  if (/^\/($|landing$|mail\/)/.test(pathname)) return '/auth';
  return `/auth?next=${encodeURIComponent(pathname + search + hash)}`;
}

/** The fragment of the marketplace's address that puts the focus into the search. */
export const SEARCH_FRAGMENT = '#search';

/** A full page load, which clears the former session from memory. */
export function fullLoad(path: string): void {
  window.location.assign(path);
}
