import { lazy, Suspense } from 'react';
import type { Bet } from '../../api/types';
import { whenIdle } from '../../lib/idle';
import { ErrorBoundary } from '../../ui/ErrorBoundary';

/** The code loads when the browser is idle, so that the bet itself shows faster. */
const Late = lazy(whenIdle(() => import(/* webpackChunkName: "messages" */ './Messages')));

export function Messages(props: { bet: Bet; token: string | null }) {
  return (
    <ErrorBoundary fallback={null}>
      <Suspense>
        <Late {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}
