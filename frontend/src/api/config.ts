import { keys } from './keys';
import type { Config } from './types';
import { useApi } from './useApi';

/**
 * The public settings of the site, null until they are known. They are read once and again after every action, and
 * again after a failure. Otherwise one lost answer could make test sats look like real sats.
 */
export function useConfig(wanted = true): Config | null {
  const { data } = useApi(wanted ? keys.config : null, {
    revalidateIfStale: false,
    shouldRetryOnError: true,
  });
  return data ?? null;
}

/** Whether sats are test sats. Null until this is known. Then pages use neither name. */
export function useIsTestMode(): boolean | null {
  return useConfig()?.isTestMode ?? null;
}
