import { useCallback } from 'react';
import { useSWRConfig } from 'swr';
import type { ApiError } from './client';
import { keys } from './keys';
import { refreshLists } from './lists';
import type { User } from './types';
import { useApi } from './useApi';
import { isVisitor } from './visitor';

const USER_FRESH_MS = 2 * 60 * 1000;

export interface Session {
  user: User | null;
  loading: boolean;
  error: ApiError | undefined;
  retry: () => void;
}

export function useSession(): Session {
  const { data, error, mutate } = useApi(keys.user, {
    dedupingInterval: USER_FRESH_MS,
    ...(isVisitor() ? { fallbackData: null, revalidateOnMount: false } : {}),
  });
  return {
    user: data ?? null,
    loading: data === undefined && error === undefined,
    // If a repeated read fails, for example after a short loss of the network, the known user or visitor stays.
    error: data === undefined ? error : undefined,
    retry: () => void mutate(),
  };
}

/**
 * Returns a function that repeats all reads of the API, because any of them could show the effect of an action. The
 * function is the same at every rendering.
 */
export function useRefreshAll(): () => Promise<void> {
  const { mutate } = useSWRConfig();
  return useCallback(async () => {
    const lists = refreshLists('/api/');
    await mutate((key) => typeof key === 'string' && key.startsWith('/api/'));
    await lists;
  }, [mutate]);
}
