import { useDeferredValue, useEffect, useMemo } from 'react';
import useSWR, { type SWRConfiguration, type SWRResponse } from 'swr';
import useSWRInfinite from 'swr/infinite';
import { askedAhead } from './ahead';
import { type ApiError, get, getPage, type Page } from './client';
import { registerList } from './lists';

/** One read. `null` data means that the server said 'not signed in'; a null key reads nothing. */
export function useApi<T>(
  key: string | null,
  config: SWRConfiguration<T | null, ApiError> = {},
): SWRResponse<T | null, ApiError> {
  const response = useSWR<T | null, ApiError>(key, (path: string) => askedAhead(path, get<T>), config);
  usePollOnError(response, config.refreshInterval);
  return response;
}

/**
 * SWR's own asking at intervals rests while an error stands, for good: meanwhile this asks in its place, but not for
 * what isn't there.
 */
function usePollOnError<T>(
  response: SWRResponse<T | null, ApiError>,
  every: SWRConfiguration<T | null, ApiError>['refreshInterval'],
) {
  const { mutate } = response;
  // What is read of a response is what renders anew when it changes.
  const error = every && response.error?.status !== 404 ? response.error : undefined;
  const interval = error && (typeof every === 'function' ? every(response.data) : every);
  useEffect(() => {
    if (!error || !interval) return;
    let timer = setTimeout(function ask() {
      // Like SWR, it asks for nobody who does not look. Every further failure is an error of its own, and begins this anew.
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
  /** Why the next page did not come; `more` asks for it again. */
  moreError: ApiError | undefined;
  more: () => void;
  refresh: () => Promise<void>;
}

/**
 * A list whose further pages come from the Link header of the page before. What came is deferred: a long list is then
 * rendered in slices, between which a slow phone stays responsive.
 */
export function usePagedApi<T>(key: string | null): PagedResult<T> {
  const pageKey = (index: number, previous: Page<T> | null) => (index === 0 ? key : (previous?.next ?? null));
  const read = useSWRInfinite<Page<T> | null, ApiError>(
    pageKey,
    (path: string) => askedAhead(path, getPage<T>),
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
