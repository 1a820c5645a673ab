import { lazy, Suspense } from 'react';
import { keys } from '../../api/keys';
import type { User } from '../../api/types';
import { useApi } from '../../api/useApi';
import { persistently } from '../../lib/idle';
import { ErrorBoundary } from '../../ui/ErrorBoundary';

/** This code loads only for a user without bets. */
const Late = lazy(() => persistently(() => import(/* webpackChunkName: "welcome" */ './Welcome')));

/** The first steps of a user who has no bets yet. Shows nothing for all other users. */
export function Welcome({ user }: { user: User }) {
  const { data: stats } = useApi(keys.stats);
  if (stats?.totalBets !== 0) return null;
  return (
    <ErrorBoundary fallback={null}>
      <Suspense fallback={null}>
        <Late user={user} />
      </Suspense>
    </ErrorBoundary>
  );
}
