import { useCallback } from 'react';
import { useSWRConfig } from 'swr';
import { readAhead } from './ahead';
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

/** Asks who is signed in, and for what every balance needs, ahead of the first rendering. */
export async function prepareSession(): Promise<void> {
  if (isVisitor()) return;
  await Promise.all([keys.user, keys.config].map(readAhead));
}

export function useSession(): Session {
  const { data, error, mutate } = useApi<User>(keys.user, {
    dedupingInterval: USER_FRESH_MS,
    ...(isVisitor() ? { fallbackData: null, revalidateOnMount: false } : {}),
  });
  return {
    user: data ?? null,
    loading: data === undefined && error === undefined,
    // Who is known stays known, also to be nobody: what was read anew in vain, as on a flap of the network, changes no page.
    error: data === undefined ? error : undefined,
    retry: () => void mutate(),
  };
}

/** After an action, everything that could show its effect is read again. What it answers stays the same function. */
export function useRefreshAll(): () => Promise<void> {
  const { mutate } = useSWRConfig();
  return useCallback(async () => {
    const lists = refreshLists('/api/');
    await mutate((key) => typeof key === 'string' && key.startsWith('/api/'));
    await lists;
  }, [mutate]);
}
