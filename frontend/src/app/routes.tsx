import { lazy, Suspense } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router-dom';
import { commonTexts } from '../texts/common';
import { Spinner } from '../ui/Spinner';
import { ErrorBoundary } from './ErrorBoundary';
import { type Access, useAccess } from './guards';
import { Shell } from './Shell';

const LandingPage = lazy(() => import(/* webpackChunkName: "landing" */ '../pages/LandingPage'));
const AuthPage = lazy(() => import(/* webpackChunkName: "auth" */ '../pages/AuthPage'));
const PortfolioPage = lazy(() => import(/* webpackChunkName: "portfolio" */ '../pages/PortfolioPage'));
const CreateBetPage = lazy(() => import(/* webpackChunkName: "create" */ '../pages/CreateBetPage'));
const MarketplacePage = lazy(() => import(/* webpackChunkName: "market" */ '../pages/MarketplacePage'));
const BetPage = lazy(() => import(/* webpackChunkName: "bet" */ '../pages/BetPage'));
const SharePage = lazy(() => import(/* webpackChunkName: "share" */ '../pages/SharePage'));
const AchievementsPage = lazy(
  () => import(/* webpackChunkName: "achievements" */ '../pages/AchievementsPage'),
);
const AccountPage = lazy(() => import(/* webpackChunkName: "account" */ '../pages/AccountPage'));
const NewPasswordPage = lazy(() => import(/* webpackChunkName: "new-password" */ '../pages/NewPasswordPage'));
const AdminPage = lazy(() => import(/* webpackChunkName: "admin" */ '../pages/AdminPage'));
const Companion = lazy(() => import(/* webpackChunkName: "companion" */ './Companion'));

export function AppRoutes() {
  const { access, user } = useAccess();
  const member = user && !user.mustChangePassword ? user : null;
  return (
    <>
      <Shell>
        <Suspense fallback={<Spinner label={commonTexts.loading} />}>
          {user && !member ? <NewPasswordPage /> : <PagesFor access={access} />}
        </Suspense>
      </Shell>
      {member && (
        <ErrorBoundary fallback={null}>
          <Suspense fallback={null}>
            <Companion key={member.id} user={member} />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  );
}

function PagesFor({ access }: { access: Access }) {
  if (access === 'loading') return <Spinner label={commonTexts.loading} />;
  if (access === 'unreachable') return <LandingPage />;
  return access === 'signed-in' ? <SignedInRoutes /> : <SignedOutRoutes />;
}

function SignedInRoutes() {
  return (
    <Routes>
      <Route path="/" element={<PortfolioPage />} />
      <Route path="/portfolio" element={<PortfolioPage />} />
      <Route path="/landing" element={<LandingPage />} />
      <Route path="/create-bet" element={<CreateBetPage />} />
      <Route path="/create" element={<Alias to="/create-bet" />} />
      <Route path="/marketplace" element={<MarketplacePage />} />
      <Route path="/achievements" element={<AchievementsPage />} />
      <Route path="/account" element={<AccountPage />} />
      <Route path="/bet/:id" element={<BetPage />} />
      <Route path="/share/:token" element={<SharePage />} />
      <Route path="/admin" element={<AdminPage />} />
      <Route path="/auth" element={<AuthPage />} />
      <Route path="*" element={<Alias to="/portfolio" />} />
    </Routes>
  );
}

/** The landing page keeps the address that was asked for, so that a sign-in comes back to it. */
function SignedOutRoutes() {
  return (
    <Routes>
      <Route path="/auth" element={<AuthPage />} />
      <Route path="/account" element={<AccountPage />} />
      <Route path="/bet/:id" element={<BetPage />} />
      <Route path="/share/:token" element={<SharePage />} />
      <Route path="*" element={<LandingPage />} />
    </Routes>
  );
}

function Alias({ to }: { to: string }) {
  const { search } = useLocation();
  return <Navigate to={to + search} replace />;
}
