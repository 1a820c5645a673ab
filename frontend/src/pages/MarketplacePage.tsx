import { useCallback, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Bet } from '../api/types';
import { type PagedResult, usePagedApi } from '../api/usePagedApi';
import { BetGrid } from '../features/market/components/BetGrid';
import { FilterBar } from '../features/market/components/FilterBar';
import { StatTiles } from '../features/market/components/StatTiles';
import {
  DEFAULT_FILTERS,
  type Filters,
  filtersFrom,
  isFiltered,
  listKey,
  toQuery,
} from '../features/market/filters';
import { marketTexts } from '../texts/market';
import { ButtonLink } from '../ui/Button';
import { PageHeading } from '../ui/Heading';
import page from '../ui/page.module.css';

export default function MarketplacePage() {
  const [query, setQuery] = useSearchParams();
  const filters = filtersFrom(query);
  const list = useSteadyList(usePagedApi(listKey(filters)));
  const change = useCallback(
    (part: Partial<Filters>) =>
      setQuery((now) => toQuery({ ...filtersFrom(now), ...part }), {
        replace: true,
        preventScrollReset: true,
      }),
    [setQuery],
  );
  return (
    <div className={page.stack}>
      <div className={page.head}>
        <PageHeading>{marketTexts.title}</PageHeading>
        <ButtonLink to="/create-bet" tone="primary">
          {marketTexts.create}
        </ButtonLink>
      </div>
      <StatTiles />
      <FilterBar filters={filters} onChange={change} />
      <BetGrid list={list} filtered={isFiltered(filters)} onClear={() => change(DEFAULT_FILTERS)} />
    </div>
  );
}

/** While a new search loads, the results of the last search stay on screen, so that the page does not jump. */
function useSteadyList(list: PagedResult<Bet>): PagedResult<Bet> & { outdated: boolean } {
  const found = useRef(list.items);
  if (list.items || list.error) found.current = list.items;
  const outdated = !list.items && found.current !== undefined;
  return outdated ? { ...list, items: found.current, hasMore: false, outdated } : { ...list, outdated };
}
