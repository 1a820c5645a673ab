import { keys } from '../api/keys';
import { owesPassword } from '../api/owed-password';
import { isVisitor } from '../api/visitor';
import { filtersFrom, listKey } from '../features/market/filters';
import { firstPageOf } from './first-page';

/** What the page of an address reads first: single answers, and lists that come by pages. */
export interface FirstReads {
  answers: string[];
  lists: string[];
  /** What belongs to the answers: asked for once they are there, as it does not exist without them. */
  details?: string[];
}

const NOTHING: FirstReads = { answers: [], lists: [] };
const BET_ID = /^[0-9a-f]{32}$/;

/** What the page in the window reads first. Who must change a one-time password may read nothing else. */
export function readsOfThisPage(): FirstReads {
  return owesPassword() ? NOTHING : firstReads(window.location, isVisitor());
}

/** So that these can be asked for while the page's code is still on its way. */
export function firstReads(
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
  visitor: boolean,
): FirstReads {
  const query = new URLSearchParams(search);
  const name = nameIn(pathname);
  switch (firstPageOf(pathname, visitor)) {
    case 'landing':
      // A member's page asks for it by itself, as it does for who is signed in.
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
      // A visitor reads the terms below the login notice, by the call that needs no session.
      return name ? { answers: [visitor ? keys.bet(name, null) : keys.shared(name)], lists: [] } : NOTHING;
    default:
      return NOTHING;
  }
}

/** A share token, too, names a bet; but a timeline is asked for by the bet's own id. */
function betReads(name: string, token: string | null): FirstReads {
  const reads: FirstReads = { answers: [keys.bet(name, token)], lists: [] };
  return BET_ID.test(name) ? { ...reads, details: [keys.timeline(name, token)] } : reads;
}

/** The name after the place in the address, as the router reads it. */
function nameIn(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname.split('/')[2] ?? '');
  } catch {
    return null;
  }
}

/** From here on the pages' script asks by itself; what else was asked for beside it would wait for a later read, and be old. */
export function markBegun(): void {
  document.documentElement.dataset.begun = '';
}

export function hasBegun(): boolean {
  return document.documentElement.dataset.begun !== undefined;
}
