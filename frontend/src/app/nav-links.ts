import {
  CirclePlus,
  CircleUser,
  type LucideIcon,
  ShieldCheck,
  Store,
  Trophy,
  WalletCards,
} from 'lucide-react';
import type { User } from '../api/types';
import { navTexts } from '../texts/common';

interface NavItem {
  to: string;
  label: string;
  icon: LucideIcon;
  /** A short label for small screens. */
  short?: string;
}

const ITEMS: readonly NavItem[] = [
  { to: '/portfolio', label: navTexts.portfolio, icon: WalletCards },
  { to: '/marketplace', label: navTexts.marketplace, icon: Store },
  { to: '/create-bet', label: navTexts.createBet, icon: CirclePlus, short: navTexts.create },
  { to: '/achievements', label: navTexts.achievements, icon: Trophy },
  { to: '/account', label: navTexts.account, icon: CircleUser },
];
const ADMIN: NavItem = { to: '/admin', label: navTexts.admin, icon: ShieldCheck };

/** The links that all users have. These links fit into the bottom bar of a phone. */
export const mainItems = ITEMS;

export function navItems(user: User): readonly NavItem[] {
  return user.isAdmin ? [...ITEMS, ADMIN] : ITEMS;
}

/** Whether the item links to the page on screen. The portfolio is also the start page. */
export function isCurrent(item: NavItem, pathname: string): boolean {
  return pathname === item.to || (item.to === '/portfolio' && pathname === '/');
}
