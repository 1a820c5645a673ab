import { useDeferredValue, useEffect, useMemo } from 'react';
import useSWR, { type SWRConfiguration, type SWRResponse } from 'swr';
import useSWRInfinite from 'swr/infinite';
import { type ApiError, get, getPage, type Page } from './client';
import type { Key } from './keys';
import { registerList } from './lists';
import { preloaded } from './preload';

/** One read. `null` data means that the server answered 'not signed in'. A null key reads nothing. */
export function useApi<T>(
  key: Key<T> | null,
  config: SWRConfiguration<T | null, ApiError> = {},
): SWRResponse<T | null, ApiError> {
  const response = useSWR<T | null, ApiError>(key, (path: string) => preloaded(path, get<T>), config);
  usePollOnError(response, config.refreshInterval);
  return response;
}

/** SWR stops its refresh interval for ever while there is an error. This hook polls instead, except after a 404. */
function usePollOnError<T>(
  response: SWRResponse<T | null, ApiError>,
  every: SWRConfiguration<T | null, ApiError>['refreshInterval'],
) {
  const { mutate } = response;
  // SWR renders again only when one of the properties changes that were read.
  const error = every && response.error?.status !== 404 ? response.error : undefined;
  const interval = error && (typeof every === 'function' ? every(response.data) : every);
  useEffect(() => {
    if (!error || !interval) return;
    let timer = setTimeout(function ask() {
      // Like SWR, this does not poll on a hidden page or offline. Each further failure is a new error object, so
      // the effect runs again.
      if (document.hidden || !navigator.onLine) timer = setTimeout(ask, interval);
      else void mutate();
    }, interval);
    return () => clearTimeout(timer);
  }, [error, interval, mutate]);
}

export interface PagedResult<T> {
  items: T[] | undefined;
  signedOut: boolean;
  error: ApiError | undefined;
  hasMore: boolean;
  loadingMore: boolean;
  /** The reason why the next page failed to load. `more` requests it again. */
  moreError: ApiError | undefined;
  more: () => void;
  refresh: () => Promise<void>;
}

/**
 * A list that loads further pages by the Link header of the page before. Its data is deferred, so that React
 * renders a long list in slices and a slow phone stays responsive.
 */
export function usePagedApi<T>(key: Key<T[]> | null): PagedResult<T> {
  const pageKey = (index: number, previous: Page<T> | null) => (index === 0 ? key : (previous?.next ?? null));
  const read = useSWRInfinite<Page<T> | null, ApiError>(
    pageKey,
    (path: string) => preloaded(path, getPage<T>),
    {
      revalidateOnMount: true,
    },
  );
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
