import { useEffect, useRef, useState } from 'react';
import { keys } from '../../../api/keys';
import { useSession } from '../../../api/session';
import type { Bet } from '../../../api/types';
import { useApi } from '../../../api/useApi';
import type { PagedResult } from '../../../api/usePagedApi';
import { marketTexts as texts } from '../../../texts/market';
import { Button, ButtonLink } from '../../../ui/Button';
import { Empty } from '../../../ui/Empty';
import { ListState } from '../../../ui/ListState';
import { MoreButton } from '../../../ui/MoreButton';
import { BetCards, BetCardsLoading, MARKET_WORDS, TakeDialog } from '../../bets';
import { CategoryCue } from './CategoryCue';

const SKELETONS = 6;

interface BetGridProps {
  /** `outdated` is true while the list still contains the bets of the previous filters. */
  list: PagedResult<Bet> & { outdated: boolean };
  filtered: boolean;
  onClear: () => void;
}

export function BetGrid({ list, filtered, onClear }: BetGridProps) {
  const { user } = useSession();
  const [taking, setTaking] = useState<Bet | null>(null);
  // While a new search loads, an empty result of the previous search must not appear as the new result.
  const items = list.outdated && list.items?.length === 0 ? undefined : list.items;
  return (
    <>
      <ListState
        list={{ ...list, items }}
        loading={<BetCardsLoading label={texts.loading} count={SKELETONS} />}
        failed={texts.failedTitle}
        empty={<NoBets filtered={filtered} onClear={onClear} />}
        more={list.hasMore && <MoreByScrolling list={list} />}
      >
        {(bets) => (
          <>
            <h2 className="visually-hidden">{texts.results}</h2>
            <BetCards
              bets={bets}
              userId={user?.id ?? null}
              takeOf={(bet) => (bet.actions.includes('accept') ? () => setTaking(bet) : undefined)}
              cueOf={({ category }) => <CategoryCue category={category} />}
              aria-label={texts.results}
              aria-busy={list.outdated}
            />
          </>
        )}
      </ListState>
      <TakeDialog
        bet={taking}
        words={MARKET_WORDS}
        onClose={({ id }) => setTaking((now) => (now?.id === id ? null : now))}
      />
    </>
  );
}

/**
 * A site without active bets may still have ended bets. The page invites the user to create the first bet only if the
 * statistics say that the site has no bets.
 */
function NoBets({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const { data: stats } = useApi(keys.marketStats, { revalidateOnMount: false });
  if (filtered) {
    return (
      <Empty title={texts.emptyTitle} hint={texts.emptyFiltered}>
        <Button onClick={onClear}>{texts.clearFilters}</Button>
      </Empty>
    );
  }
  if (stats?.totalBetsCount !== 0) {
    return (
      <Empty title={texts.emptyTitle} hint={texts.emptyFiltered}>
        <ButtonLink to="/create">{texts.create}</ButtonLink>
      </Empty>
    );
  }
  return (
    <Empty title={texts.emptyTitle} hint={texts.emptyAll}>
      <ButtonLink to="/create" tone="primary">
        {texts.createFirst}
      </ButtonLink>
    </Empty>
  );
}

/** Loads the next page when the user scrolls to the end of the list. The button is for users who do not scroll. */
function MoreByScrolling({ list }: { list: PagedResult<Bet> }) {
  const place = useRef<HTMLDivElement>(null);
  const more = useRef(list.more);
  more.current = list.more;
  // After a failed request, only the button tries again. Automatic requests would repeat as long as the end of the
  // list is visible.
  const resting = !list.loadingMore && !list.moreError;
  useEffect(() => {
    const element = place.current;
    if (!element || !resting || !('IntersectionObserver' in window)) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) more.current();
      },
      { rootMargin: '300px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [resting]);
  return (
    <div ref={place}>
      <MoreButton list={list} label={texts.nextPage} />
    </div>
  );
}
