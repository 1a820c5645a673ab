import { keys } from '../api/keys';
import { owesPassword } from '../api/owed-password';
import { isVisitor } from '../api/visitor';
import { filtersFrom, listKey } from '../features/market/filters';
import { firstPageOf } from './first-page';

/** The first reads of the page at an address: single answers, and lists that load by pages. */
export interface FirstReads {
  answers: string[];
  lists: string[];
  /** Reads that need one of the answers to exist, and come after it. */
  details?: string[];
}

const NOTHING: FirstReads = { answers: [], lists: [] };
const BET_ID = /^[0-9a-f]{32}$/;

/** The first reads of the current page. A user who must change a one-time password may read nothing else. */
export function readsOfThisPage(): FirstReads {
  return owesPassword() ? NOTHING : firstReads(window.location, isVisitor());
}

/** The first reads of an address. They can begin while the code of the page loads. */
export function firstReads(
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
  visitor: boolean,
): FirstReads {
  const query = new URLSearchParams(search);
  const name = nameIn(pathname);
  switch (firstPageOf(pathname, visitor)) {
    case 'landing':
      // A member's page requests the settings together with the user.
      return visitor ? { answers: [keys.config], lists: [] } : NOTHING;
    case 'portfolio':
      return { answers: [keys.stats], lists: [keys.myBets] };
    case 'market':
      return { answers: [keys.marketStats], lists: [listKey(filtersFrom(query))] };
    case 'achievements':
      return { answers: [keys.achievements], lists: [] };
    case 'account':
      return visitor ? NOTHING : { answers: [], lists: [keys.latestWithdrawals, keys.history] };
    case 'bet':
      return name ? betReads(name, query.get('token')) : NOTHING;
    case 'share':
      // A visitor reads the terms below the login notice, with the call that needs no session.
      return name ? { answers: [visitor ? keys.bet(name, null) : keys.shared(name)], lists: [] } : NOTHING;
    default:
      return NOTHING;
  }
}

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

/**
 * Marks that the large script runs and sends its own requests. A read by the early script would now wait for a
 * later use, and be outdated then.
 */
export function markBegun(): void {
  document.documentElement.dataset.begun = '';
}

export function hasBegun(): boolean {
  return document.documentElement.dataset.begun !== undefined;
}
