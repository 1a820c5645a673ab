import { keys } from './keys';
import type { Config } from './types';
import { useApi } from './useApi';

/**
 * The public settings of the site. Null until they have loaded. Each action repeats the read, and a failed read is
 * retried. Without the retry, one lost answer could make test sats look like real sats.
 */
export function useConfig(wanted = true): Config | null {
  const { data } = useApi(wanted ? keys.config : null, {
    revalidateIfStale: false,
    shouldRetryOnError: true,
  });
  return data ?? null;
}

/**
 * Whether sats are test sats. Null until the settings have loaded. Until then, pages name them neither test sats nor
 * real sats.
 */
export function useIsTestMode(): boolean | null {
  return useConfig()?.isTestMode ?? null;
}
