import { lazy, Suspense, useDeferredValue, useEffect } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router-dom';
import { noteOwedPassword } from '../api/owed-password';
import { useCatchUp } from '../api/useCatchUp';
import { idle, persistently } from '../lib/idle';
import { commonTexts } from '../texts/common';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { Spinner } from '../ui/Spinner';
import { type Access, useAccess } from './guards';
import {
  AccountPage,
  AchievementsPage,
  AdminPage,
  AuthPage,
  BetPage,
  CreateBetPage,
  LandingPage,
  MarketplacePage,
  NewPasswordPage,
  PortfolioPage,
  SharePage,
} from './pages';
import { Shell } from './Shell';

/** Loads after the page, so that it does not compete with the page. */
const Companion = lazy(async () => {
  await idle();
  return persistently(() => import(/* webpackChunkName: "companion" */ './Companion'));
});

interface AppRoutesProps {
  /** Whether the code of the first page is still loading. */
  waiting?: boolean;
}

export function AppRoutes({ waiting = false }: AppRoutesProps) {
  const { access, user } = useAccess();
  useCatchUp();
  const owed = user?.mustChangePassword;
  useEffect(() => {
    if (owed !== undefined) noteOwedPassword(owed);
  }, [owed]);
  // The page is the largest rendering. Deferred, React renders it in slices.
  const shown = useDeferredValue(waiting ? 'loading' : access);
  const member = user && !user.mustChangePassword ? user : null;
  return (
    <>
      <Shell>
        <Suspense fallback={<Spinner label={commonTexts.loading} />}>
          {user && !member ? <NewPasswordPage user={user} /> : <PagesFor access={shown} />}
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

/** The landing page keeps the requested address, so that a sign-in returns to it. */
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
