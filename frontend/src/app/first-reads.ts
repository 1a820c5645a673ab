import { keys } from '../api/keys';
import { owesPassword } from '../api/owed-password';
import { isVisitor } from '../api/visitor';
import { filtersFrom, listKey } from '../features/market/filters';

/** The first reads of a page: single answers, and lists that load by pages. */
export interface FirstReads {
  answers: string[];
  lists: string[];
  /** Reads that need one of the answers to exist, and come after it. */
  details?: string[];
}

const NOTHING: FirstReads = { answers: [], lists: [] };
const BET_ID = /^[0-9a-f]{32}$/;

/**
 * The reads that the build has written into the page, and those that depend on the address. A user who must change a
 * one-time password may read nothing else.
 */
export function firstReads(
  { page, answers = '', lists = '' }: DOMStringMap,
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
): FirstReads {
  if (owesPassword()) return NOTHING;
  const query = new URLSearchParams(search);
  const reads = { answers: words(answers), lists: words(lists) };
  if (page === 'market') return { ...reads, lists: [listKey(filtersFrom(query))] };
  const name = nameIn(pathname);
  if (page === 'bet' && name) return betReads(name, query.get('token'));
  // A visitor reads the terms below the login notice, with the call that needs no session.
  if (page === 'share' && name)
    return { answers: [isVisitor() ? keys.bet(name, null) : keys.shared(name)], lists: [] };
  return reads;
}

const words = (text: string) => text.split(' ').filter(Boolean);

/** A share token also names a bet. But a timeline is requested by the id of the bet. */
function betReads(name: string, token: string | null): FirstReads {
  const reads: FirstReads = { answers: [keys.bet(name, token)], lists: [] };
  return BET_ID.test(name) ? { ...reads, details: [keys.timeline(name, token)] } : reads;
}

/** The second part of the path, decoded as the router decodes it. */
function nameIn(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname.split('/')[2] ?? '');
  } catch {
    return null;
  }
}
