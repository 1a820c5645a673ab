import { isVisitor } from '../api/visitor';
import { prepared } from '../lib/prepared';
import { firstPageOf } from './first-page';

const pages = {
  landing: prepared(() => import(/* webpackChunkName: "landing" */ '../pages/LandingPage')),
  auth: prepared(() => import(/* webpackChunkName: "auth" */ '../pages/AuthPage')),
  portfolio: prepared(() => import(/* webpackChunkName: "portfolio" */ '../pages/PortfolioPage')),
  create: prepared(() => import(/* webpackChunkName: "create" */ '../pages/CreateBetPage')),
  market: prepared(() => import(/* webpackChunkName: "market" */ '../pages/MarketplacePage')),
  bet: prepared(() => import(/* webpackChunkName: "bet" */ '../pages/BetPage')),
  share: prepared(() => import(/* webpackChunkName: "share" */ '../pages/SharePage')),
  achievements: prepared(() => import(/* webpackChunkName: "achievements" */ '../pages/AchievementsPage')),
  account: prepared(() => import(/* webpackChunkName: "account" */ '../pages/AccountPage')),
  newPassword: prepared(() => import(/* webpackChunkName: "new-password" */ '../pages/NewPasswordPage')),
  admin: prepared(() => import(/* webpackChunkName: "admin" */ '../pages/AdminPage')),
};

export const LandingPage = pages.landing.Part;
export const AuthPage = pages.auth.Part;
export const PortfolioPage = pages.portfolio.Part;
export const CreateBetPage = pages.create.Part;
export const MarketplacePage = pages.market.Part;
export const BetPage = pages.bet.Part;
export const SharePage = pages.share.Part;
export const AchievementsPage = pages.achievements.Part;
export const AccountPage = pages.account.Part;
export const NewPasswordPage = pages.newPassword.Part;
export const AdminPage = pages.admin.Part;

/** Loads the code of the first page while the request for the session runs. */
export function prepareFirstPage(): Promise<boolean> {
  return pages[firstPageOf(window.location.pathname, isVisitor())].prepare();
}
