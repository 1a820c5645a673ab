import { isVisitor } from '../api/visitor';
import { firstPageOf } from './first-page';
import { preparedPage } from './prepared-page';

const pages = {
  landing: preparedPage(() => import(/* webpackChunkName: "landing" */ '../pages/LandingPage')),
  auth: preparedPage(() => import(/* webpackChunkName: "auth" */ '../pages/AuthPage')),
  portfolio: preparedPage(() => import(/* webpackChunkName: "portfolio" */ '../pages/PortfolioPage')),
  create: preparedPage(() => import(/* webpackChunkName: "create" */ '../pages/CreateBetPage')),
  market: preparedPage(() => import(/* webpackChunkName: "market" */ '../pages/MarketplacePage')),
  bet: preparedPage(() => import(/* webpackChunkName: "bet" */ '../pages/BetPage')),
  share: preparedPage(() => import(/* webpackChunkName: "share" */ '../pages/SharePage')),
  achievements: preparedPage(
    () => import(/* webpackChunkName: "achievements" */ '../pages/AchievementsPage'),
  ),
  account: preparedPage(() => import(/* webpackChunkName: "account" */ '../pages/AccountPage')),
  newPassword: preparedPage(() => import(/* webpackChunkName: "new-password" */ '../pages/NewPasswordPage')),
  admin: preparedPage(() => import(/* webpackChunkName: "admin" */ '../pages/AdminPage')),
};

export const LandingPage = pages.landing.Page;
export const AuthPage = pages.auth.Page;
export const PortfolioPage = pages.portfolio.Page;
export const CreateBetPage = pages.create.Page;
export const MarketplacePage = pages.market.Page;
export const BetPage = pages.bet.Page;
export const SharePage = pages.share.Page;
export const AchievementsPage = pages.achievements.Page;
export const AccountPage = pages.account.Page;
export const NewPasswordPage = pages.newPassword.Page;
export const AdminPage = pages.admin.Page;

/** Fetches the first page's code while the session is still being asked for. */
export function prepareFirstPage(): Promise<void> {
  return pages[firstPageOf(window.location.pathname, isVisitor())].prepare();
}
