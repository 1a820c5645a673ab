import { lazy, Suspense, useEffect, useRef } from 'react';
import { keys } from '../api/keys';
import { useSession } from '../api/session';
import type { Bet, User } from '../api/types';
import { useLostSession } from '../api/useAction';
import { useApi } from '../api/useApi';
import { useMoreWhile } from '../api/useMoreWhile';
import { type PagedResult, usePagedApi } from '../api/usePagedApi';
import { endedLatestFirst, isActive } from '../features/bets';
import { ActiveBets } from '../features/portfolio/components/ActiveBets';
import { Curves } from '../features/portfolio/components/Curves';
import { History } from '../features/portfolio/components/History';
import { StatsCards } from '../features/portfolio/components/StatsCards';
import { YourTurn } from '../features/portfolio/components/YourTurn';
import { Welcome } from '../features/welcome';
import { portfolioTexts as texts } from '../texts/portfolio';
import { ButtonLink } from '../ui/Button';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { PageHeading } from '../ui/Heading';
import { ListState } from '../ui/ListState';
import { MoreButton } from '../ui/MoreButton';
import page from '../ui/page.module.css';

/** In the chunk of the bets that wait for the user, which the browser loads beside the page. */
const ToRule = lazy(
  () => import(/* webpackChunkName: "your-turn" */ '../features/portfolio/components/ToRule'),
);

export default function PortfolioPage() {
  const { user } = useSession();
  return user ? <Portfolio user={user} /> : null;
}

function Portfolio({ user }: { user: User }) {
  const list = usePagedApi(keys.myBets);
  useSignInAgain(list.signedOut);
  useAllActive(list);
  const rest = (
    <>
      <StatsCards />
      <Bets list={list} user={user} />
    </>
  );
  return (
    <div className={page.stack}>
      <div className={page.head}>
        <PageHeading>{texts.title}</PageHeading>
        <ButtonLink to="/create-bet" tone="primary">
          {texts.create}
        </ButtonLink>
      </div>
      <Welcome user={user} />
      <YourTurn user={user} />
      <ErrorBoundary fallback={rest}>
        <Suspense fallback={<div className={page.place} />}>
          <ToRule>{rest}</ToRule>
        </Suspense>
      </ErrorBoundary>
    </div>
  );
}

function Bets({ list, user }: { list: PagedResult<Bet>; user: User }) {
  return (
    <ListState
      list={list}
      loading={<ActiveBets bets={undefined} userId={user.id} />}
      failed={texts.failed}
      more={<MoreButton list={list} label={texts.more} />}
    >
      {(bets) => (
        <>
          <ActiveBets bets={bets.filter(isActive)} userId={user.id} />
          <Curves bets={bets} userId={user.id} />
          <History bets={endedLatestFirst(bets)} userId={user.id} />
        </>
      )}
    </ListState>
  );
}

/**
 * Opens the sign-in page if the server answers the list with 'not signed in', because the session has ended elsewhere.
 */
function useSignInAgain(signedOut: boolean) {
  const lost = useLostSession();
  const told = useRef(false);
  useEffect(() => {
    if (!signedOut || told.current) return;
    told.current = true;
    lost();
  }, [signedOut, lost]);
}

/**
 * Loads further pages of the list until all active bets are visible. The user need not press 'Show older bets' for
 * them.
 */
function useAllActive(list: PagedResult<Bet>) {
  const { data: stats } = useApi(keys.stats);
  const known = list.items?.filter(isActive).length ?? 0;
  useMoreWhile(list, stats ? stats.activeBets > known : false);
}
