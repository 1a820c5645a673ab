import { lazy, Suspense, useDeferredValue, useEffect } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router-dom';
import { noteOwedPassword } from '../api/owed-password';
import { useCatchUp } from '../api/useCatchUp';
import { whenIdle } from '../lib/idle';
import { commonTexts } from '../texts/common';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { Spinner } from '../ui/Spinner';
import { type Access, useAccess } from './guards';
import { pages } from './pages';
import { Shell } from './Shell';

/** This code loads after the code of the page, so that it does not slow the page down. */
const Companion = lazy(whenIdle(() => import(/* webpackChunkName: "companion" */ './Companion')));

export function AppRoutes() {
  const { access, user } = useAccess();
  useCatchUp();
  const owed = user?.mustChangePassword;
  useEffect(() => {
    if (owed !== undefined) noteOwedPassword(owed);
  }, [owed]);
  // The page is the largest part to render. `useDeferredValue` lets React render it in slices.
  const shown = useDeferredValue(access);
  return (
    <>
      <Shell>
        <Suspense fallback={<Spinner label={commonTexts.loading} />}>
          {user && owed ? <pages.newPassword.Part user={user} /> : <PagesFor access={shown} />}
        </Suspense>
      </Shell>
      {user && (
        <ErrorBoundary fallback={null}>
          <Suspense fallback={null}>
            <Companion user={user} />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  );
}

function PagesFor({ access }: { access: Access }) {
  if (access === 'loading') return <Spinner label={commonTexts.loading} />;
  if (access === 'unreachable') return <pages.landing.Part />;
  // Users and visitors share one `Routes`, so that React keeps the page and what was typed when the session ends.
  return (
    <Routes>
      <Route path="/account" element={<pages.account.Part />} />
      <Route path="/mail/*" element={<pages.newPassword.Part />} />
      <Route path="/bet/:id" element={<pages.bet.Part />} />
      <Route path="/share/:token" element={<pages.share.Part />} />
      <Route path="/auth" element={<pages.auth.Part />} />
      {access === 'signed-in' ? signedInRoutes : signedOutRoutes}
    </Routes>
  );
}

const signedInRoutes = (
  <>
    <Route path="/" element={<pages.portfolio.Part />} />
    <Route path="/portfolio" element={<pages.portfolio.Part />} />
    <Route path="/landing" element={<pages.landing.Part />} />
    <Route path="/create-bet" element={<pages.create.Part />} />
    <Route path="/create" element={<Alias to="/create-bet" />} />
    <Route path="/marketplace" element={<pages.market.Part />} />
    <Route path="/achievements" element={<pages.achievements.Part />} />
    <Route path="/admin" element={<pages.admin.Part />} />
    <Route path="*" element={<Alias to="/portfolio" />} />
  </>
);

/** All other addresses show the landing page without a redirect, so that a sign-in returns to the requested address. */
const signedOutRoutes = <Route path="*" element={<pages.landing.Part />} />;

function Alias({ to }: { to: string }) {
  const { search } = useLocation();
  return <Navigate to={to + search} replace />;
}
