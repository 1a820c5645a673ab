import { useEffect } from 'react';
import useSWR, { type SWRConfiguration, type SWRResponse } from 'swr';
import { type ApiError, get } from './client';
import type { Key } from './keys';

/** One read. `null` data means that the server answered 'not signed in'. A null key reads nothing. */
export function useApi<T>(
  key: Key<T> | null,
  config: SWRConfiguration<T | null, ApiError> = {},
): SWRResponse<T | null, ApiError> {
  const response = useSWR<T | null, ApiError>(key, get<T>, config);
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
