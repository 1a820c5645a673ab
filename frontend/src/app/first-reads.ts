import { keys } from '../api/keys';
import { owesPassword } from '../api/owed-password';
import { isVisitor } from '../api/visitor';
import { filtersFrom, listKey } from '../features/market/filters';

/** The first reads of a page. `answers` are single objects, `lists` are lists that load in pages. */
interface FirstReads {
  answers: string[];
  lists: string[];
  /** Reads that are sent only after one of `answers` has loaded, because they fail if that object does not exist. */
  details?: string[];
}

const NOTHING: FirstReads = { answers: [], lists: [] };
const BET_ID = /^[0-9a-f]{32}$/;

/**
 * The reads that the build has written into the HTML page, and the reads that depend on the address. A user who must
 * change a one-time password gets no first reads, because the server would refuse them.
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
  // The page shows visitors the terms of the bet below the login notice. The request with `keys.bet` needs no session.
  if (page === 'share' && name)
    return { answers: [isVisitor() ? keys.bet(name, null) : keys.shared(name)], lists: [] };
  return reads;
}

const words = (text: string) => text.split(' ').filter(Boolean);

/**
 * `name` is the id or the share token of a bet. The page requests the timeline by the id only, so a token gives no
 * `details`.
 */
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
