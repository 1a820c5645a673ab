import { useDeferredValue, useEffect, useMemo } from 'react';
import useSWRInfinite from 'swr/infinite';
import { type ApiError, getPage, type Page } from './client';
import type { Key } from './keys';
import { registerList } from './lists';

export interface PagedResult<T> {
  items: T[] | undefined;
  signedOut: boolean;
  error: ApiError | undefined;
  hasMore: boolean;
  loadingMore: boolean;
  /** The error if the next page failed to load. `more` requests the page again. */
  moreError: ApiError | undefined;
  more: () => void;
  refresh: () => Promise<void>;
}

/**
 * A list that loads in pages. The Link header of each page names the next page. The data is deferred: React renders a
 * long list in slices, so that a slow phone stays responsive.
 */
export function usePagedApi<T>(key: Key<T[]> | null): PagedResult<T> {
  const pageKey = (index: number, previous: Page<T> | null) => (index === 0 ? key : (previous?.next ?? null));
  const read = useSWRInfinite<Page<T> | null, ApiError>(pageKey, getPage<T>, {
    revalidateOnMount: true,
  });
  const { error, size, isValidating, setSize, mutate } = read;
  useEffect(() => {
    if (key) return registerList({ key, refresh: () => mutate() });
  }, [key, mutate]);
  const data = useDeferredValue(read.data);
  const items = useMemo(() => data?.flatMap((page) => page?.items ?? []), [data]);
  const last = data?.at(-1);
  const loaded = data?.length ?? 0;
  const lacking = data !== undefined && size > loaded;
  return {
    items,
    signedOut: data?.[0] === null,
    error,
    hasMore: Boolean(last?.next),
    loadingMore: lacking && (isValidating || !error),
    moreError: lacking && !isValidating ? error : undefined,
    more: () => void setSize(loaded + 1),
    refresh: async () => void (await mutate()),
  };
}
