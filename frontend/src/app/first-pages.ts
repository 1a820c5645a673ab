import { type Key, keys } from '../api/keys';
import type { PageName } from './pages';

/** The page of an address with its first reads. The build writes both into the HTML page of the address. */
export interface FirstPage {
  page: PageName;
  /** The first reads of the page. `answers` are single objects, `lists` are lists that load in pages. */
  answers?: readonly Key<unknown>[];
  lists?: readonly Key<unknown[]>[];
  /** The name of a further chunk with code that the first screen needs. */
  beside?: string;
  /**
   * The path at which the build renders the page to HTML. Only a page that is the same for all visitors has this path.
   */
  renderedAt?: string;
}

/** The first reads of every page of a member. The settings say whether the sats in the balance are test sats. */
export const MEMBER_ANSWERS = [keys.user, keys.config];

const portfolio: FirstPage = {
  page: 'portfolio',
  answers: [keys.stats, keys.turnCount, keys.myTurn],
  lists: [keys.myBets, keys.arbitrated],
  beside: 'your-turn',
};

/**
 * The pages of members and of visitors, by the first part of the address. `index` is the page of all other addresses.
 * Reads that depend on the rest of the address are in `first-reads.ts`.
 */
export const firstPages: Readonly<Record<'member' | 'visitor', Readonly<Record<string, FirstPage>>>> = {
  member: {
    index: portfolio,
    portfolio,
    dashboard: portfolio,
    landing: { page: 'landing' },
    'create-bet': { page: 'create' },
    create: { page: 'create' },
    marketplace: { page: 'market', answers: [keys.marketStats] },
    achievements: { page: 'achievements', answers: [keys.achievements] },
    account: { page: 'account' },
    bet: { page: 'bet' },
    share: { page: 'share' },
    admin: { page: 'admin' },
    auth: { page: 'auth' },
    mail: { page: 'newPassword' },
  },
  visitor: {
    index: { page: 'landing', answers: [keys.config], renderedAt: '/' },
    landing: { page: 'landing', answers: [keys.config], renderedAt: '/landing' },
    auth: { page: 'auth', renderedAt: '/auth' },
    account: { page: 'account' },
    bet: { page: 'bet' },
    share: { page: 'share' },
    mail: { page: 'newPassword' },
  },
};
