import { useEffect } from 'react';
import useSWR, { type SWRConfiguration, type SWRResponse } from 'swr';
import { type ApiError, get } from './client';
import type { Key } from './keys';

/** Reads one path. The data is null if the server answers 'not signed in'. A null key sends no request. */
export function useApi<T>(
  key: Key<T> | null,
  config: SWRConfiguration<T | null, ApiError> = {},
): SWRResponse<T | null, ApiError> {
  const response = useSWR<T | null, ApiError>(key, get<T>, config);
  usePollOnError(response, config.refreshInterval);
  return response;
}

/** SWR stops its refresh interval after an error. After an error other than a 404, this hook polls instead. */
function usePollOnError<T>(
  response: SWRResponse<T | null, ApiError>,
  every: SWRConfiguration<T | null, ApiError>['refreshInterval'],
) {
  const { mutate } = response;
  // SWR renders a component again only if a property of the response changes that the component has used. So this hook
  // uses `error` only if it may have to poll.
  const error = every && response.error?.status !== 404 ? response.error : undefined;
  const interval = error && (typeof every === 'function' ? every(response.data) : every);
  useEffect(() => {
    if (!error || !interval) return;
    let timer = setTimeout(function ask() {
      // Like SWR, this hook does not poll while the page is hidden or offline. Each further failure is a new error
      // object, so the effect runs again.
      if (document.hidden || !navigator.onLine) timer = setTimeout(ask, interval);
      else void mutate();
    }, interval);
    return () => clearTimeout(timer);
  }, [error, interval, mutate]);
}
