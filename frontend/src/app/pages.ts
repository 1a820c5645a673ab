import { prepared } from '../lib/prepared';

export const pages = {
  landing: prepared(() => import(/* webpackChunkName: "landing" */ '../pages/LandingPage')),
  auth: prepared(() => import(/* webpackChunkName: "auth" */ '../pages/AuthPage')),
  portfolio: prepared(() => import(/* webpackChunkName: "portfolio" */ '../pages/PortfolioPage')),
  create: prepared(() => import(/* webpackChunkName: "create" */ '../pages/CreateBetPage')),
  market: prepared(() => import(/* webpackChunkName: "market" */ '../pages/MarketplacePage')),
  bet: prepared(() => import(/* webpackChunkName: "bet" */ '../pages/BetPage')),
  share: prepared(() => import(/* webpackChunkName: "share" */ '../pages/SharePage')),
  achievements: prepared(() => import(/* webpackChunkName: "achievements" */ '../pages/AchievementsPage')),
  account: prepared(() => import(/* webpackChunkName: "account" */ '../pages/AccountPage')),
  newPassword: prepared(() => import(/* webpackChunkName: "newPassword" */ '../pages/NewPasswordPage')),
  admin: prepared(() => import(/* webpackChunkName: "admin" */ '../pages/AdminPage')),
};

export type PageName = keyof typeof pages;

/** Loads the code of the page that the build has named in the HTML. */
export async function prepareFirstPage(): Promise<void> {
  const name = document.documentElement.dataset.page;
  if (name && name in pages) await pages[name as PageName].prepare();
}
