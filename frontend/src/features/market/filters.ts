import { type Key, keys } from '../../api/keys';
import type { Bet } from '../../api/types';
import { CURRENCIES } from '../../lib/money';
import { CATEGORIES } from '../../texts/categories';
import type { marketTexts } from '../../texts/market';

export interface Filters {
  q: string;
  category: string;
  status: string;
  currency: string;
  sort: string;
}

export const DEFAULT_FILTERS: Filters = {
  q: '',
  category: '',
  status: 'active',
  currency: '',
  sort: 'newest',
};

const NAMES = ['q', 'category', 'status', 'currency', 'sort'] as const;

/** The values, without their labels. The script that preloads the first answers needs no labels. */
export const STATUSES: readonly (keyof typeof marketTexts.statuses)[] = [
  'active',
  'pending',
  'accepted',
  'resolved',
  'all',
];
export const SORTS: readonly (keyof typeof marketTexts.sorts)[] = [
  'newest',
  'oldest',
  'stake_desc',
  'stake_asc',
  'ending_soon',
  'pot_desc',
];

const known = (values: readonly string[], value: string | null, fallback: string) =>
  value !== null && values.includes(value) ? value : fallback;

/** Reads the filters from the query of the address. An unknown value becomes the default value. */
export function filtersFrom(query: URLSearchParams): Filters {
  return {
    q: query.get('q') ?? '',
    category: known(CATEGORIES, query.get('category'), DEFAULT_FILTERS.category),
    status: known(STATUSES, query.get('status'), DEFAULT_FILTERS.status),
    currency: known(CURRENCIES, query.get('currency'), DEFAULT_FILTERS.currency),
    sort: known(SORTS, query.get('sort'), DEFAULT_FILTERS.sort),
  };
}

/** Writes the filters as a query for the address. Default values are left out. */
export function toQuery(filters: Filters): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of NAMES) {
    if (filters[name] !== DEFAULT_FILTERS[name]) query.set(name, filters[name]);
  }
  return query;
}

export function isFiltered(filters: Filters): boolean {
  return NAMES.some((name) => name !== 'sort' && filters[name] !== DEFAULT_FILTERS[name]);
}

/** The number of filters and orders that differ from the default. The search text does not count. */
export function countSet(filters: Filters): number {
  return NAMES.filter((name) => name !== 'q' && filters[name] !== DEFAULT_FILTERS[name]).length;
}

export function listKey(filters: Filters): Key<Bet[]> {
  return keys.publicBets({
    q: filters.q.trim() || null,
    category: filters.category || null,
    status: filters.status === 'all' ? null : filters.status,
    currency: filters.currency || null,
    sort: filters.sort === DEFAULT_FILTERS.sort ? null : filters.sort,
  });
}
