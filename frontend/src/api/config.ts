import { keys } from './keys';
import type { Config } from './types';
import { useApi } from './useApi';

/**
 * What everybody may know of the site; null until it is known. It is read once and then with every action, and asked for
 * again where it failed: pages must not take test sats for real ones only because one answer was lost.
 */
export function useConfig(wanted = true): Config | null {
  const { data } = useApi<Config>(wanted ? keys.config : null, {
    revalidateIfStale: false,
    shouldRetryOnError: true,
  });
  return data ?? null;
}

/** Null until it is known, when sats are to be called neither. */
export function useIsTestMode(): boolean | null {
  return useConfig()?.isTestMode ?? null;
}
