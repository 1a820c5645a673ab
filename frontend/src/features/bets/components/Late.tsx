import { lazy, type ReactNode, Suspense } from 'react';
import type { Bet } from '../../../api/types';
import { ErrorBoundary } from '../../../ui/ErrorBoundary';

/** Parts of a bet that load beside the page, so that the page itself stays small. */
export const Timeline = lazy(() => import(/* webpackChunkName: "timeline" */ './TimelineCard'));
export const ArbiterPanel = lazy(() => import(/* webpackChunkName: "arbiter" */ '../arbiter/ArbiterPanel'));
const Note = lazy(() => import(/* webpackChunkName: "timeline" */ '../arbiter/ArbiterNote'));

/** Shows nothing while the code of a part loads, and nothing if it does not load. */
export function Late({ children }: { children: ReactNode }) {
  return (
    <ErrorBoundary fallback={null}>
      <Suspense>{children}</Suspense>
    </ErrorBoundary>
  );
}

/** Says who rules on a dispute, if the creator named an arbiter. */
export function ArbiterNote({ bet }: { bet: Bet }) {
  return bet.arbiter ? (
    <Late>
      <Note bet={bet} />
    </Late>
  ) : null;
}
