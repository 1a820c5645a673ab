import { useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { authPath } from '../lib/paths';
import { commonTexts } from '../texts/common';
import { toast } from '../ui/toast-store';
import { ApiError } from './client';
import { keys } from './keys';
import { useRefreshAll } from './session';

const REDIRECT_DELAY_MS = 500;

export interface Failure {
  /** The title of the toast. */
  title: string;
  /** Shown if the server gave no text. */
  fallback?: string;
  /** Replaces the usual text when the session has ended. */
  unauthorized?: string;
  /** Called with the server's error, unless the session has ended. Returns true if no toast is due. */
  onError?: (error: ApiError) => boolean;
  /** The action is a sign-in. A 401 is a refusal like any other, and the whole site loads again after a success. */
  isSignIn?: boolean;
}

export interface Action<A extends unknown[]> {
  run: (...args: A) => Promise<void>;
  pending: boolean;
}

/**
 * A write with its pending state. While the write runs, a second click does nothing. Afterwards all reads on screen
 * are repeated. If the session has ended, this leads to the sign-in and back.
 */
export function useAction<A extends unknown[]>(
  act: (...args: A) => Promise<void>,
  failure: Failure,
): Action<A> {
  const [pending, setPending] = useState(false);
  const running = useRef(false);
  const refreshAll = useRefreshAll();
  const handleLostSession = useLostSession();

  async function run(...args: A) {
    if (running.current) return;
    running.current = true;
    setPending(true);
    try {
      await act(...args);
      if (!failure.isSignIn) await refreshAll();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 401 && !failure.isSignIn) handleLostSession(failure.unauthorized);
      else if (!failure.onError?.(error))
        toast(failure.title, error.message || failure.fallback || commonTexts.genericError, 'destructive');
      // A conflict means that the page showed outdated data.
      if ((error.status === 404 || error.status === 409) && !failure.isSignIn) await refreshAll();
    } finally {
      running.current = false;
      setPending(false);
    }
  }
  return { run, pending };
}

/** Says that the session has ended, and goes to the sign-in, which returns to this page. */
export function useLostSession(): (words?: string) => void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { mutate } = useSWRConfig();
  return (words = commonTexts.unauthorized) => {
    toast(commonTexts.unauthorizedTitle, words, 'destructive');
    setTimeout(() => {
      // The sign-in page redirects signed-in users, and this page still has its user in the cache.
      void mutate(keys.user, null, { revalidate: false });
      navigate(authPath(pathname + search));
    }, REDIRECT_DELAY_MS);
  };
}
