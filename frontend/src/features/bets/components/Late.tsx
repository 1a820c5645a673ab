import { lazy, type ReactNode, Suspense } from 'react';
import type { Bet } from '../../../api/types';
import { whenIdle } from '../../../lib/idle';
import { prepared } from '../../../lib/prepared';
import { ErrorBoundary } from '../../../ui/ErrorBoundary';
import page from '../../../ui/page.module.css';

/** Parts of a bet that load beside the page, so that the page itself stays small. */
const timeline = () => import(/* webpackChunkName: "timeline" */ './TimelineCard');
export const Timeline = lazy(whenIdle(timeline));
/** The timeline as evidence. An arbiter reads it for the ruling, so it does not wait until the browser is idle. */
export const EvidenceTimeline = prepared(timeline).Part;
export const ArbiterPanel = prepared(
  () => import(/* webpackChunkName: "arbiter" */ '../arbiter/ArbiterPanel'),
).Part;
const note = prepared(() => import(/* webpackChunkName: "timeline" */ '../arbiter/ArbiterNote'));
const Note = note.Part;
/** Shows nothing. Its place waits until the code of the note is loaded. */
const NoteIsLoaded = lazy(async () => {
  await note.prepare();
  return { default: () => null };
});

interface LateProps {
  children: ReactNode;
  /** Shown while the code of the part loads. */
  wait?: ReactNode;
}

/** Shows nothing if the code of a part does not load. */
export function Late({ children, wait }: LateProps) {
  return (
    <ErrorBoundary fallback={null}>
      <Suspense fallback={wait}>{children}</Suspense>
    </ErrorBoundary>
  );
}

/**
 * Shows the parts of a page that are below the slip. They come together with the arbiter's panel, and for a user who may take
 * the bet with the note about the arbiter, so that nothing moves when these come.
 */
export function BelowSlip({ bet, children }: { bet: Bet; children: ReactNode }) {
  return (
    <Suspense fallback={<div className={page.place} />}>
      {bet.arbiter && bet.actions.includes('accept') && <NoteIsLoaded />}
      {children}
    </Suspense>
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

/**
 * Shows buttons that take a side below the note about the arbiter. They come together with the note, because a user must not
 * stake before the note says who rules. If the note does not load, the user can try again.
 */
export function BelowArbiterNote({ bet, children }: { bet: Bet; children: ReactNode }) {
  if (!bet.arbiter) return children;
  return (
    <ErrorBoundary small>
      <Suspense>
        <Note bet={bet} />
        {children}
      </Suspense>
    </ErrorBoundary>
  );
}
