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
  /** The text of the toast if the server's error contains no text. */
  fallback?: string;
  /** Replaces the usual text of the toast if the session has ended. */
  unauthorized?: string;
  /** Gets the server's error, unless the session has ended. Returns true if no toast must be shown. */
  onError?: (error: ApiError) => boolean;
  /**
   * Whether the action is a sign-in. Then a 401 means a refused sign-in and not an ended session. After a sign-in the
   * whole site loads again, so no reads are repeated.
   */
  isSignIn?: boolean;
}

export interface Action<A extends unknown[]> {
  run: (...args: A) => Promise<void>;
  pending: boolean;
}

/**
 * A write with its pending state. While the write runs, a second click does nothing. After a success, all reads on
 * screen are repeated. If the session has ended, the sign-in page opens, and the sign-in returns to this page.
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
      // A 404 or a 409 means that the page showed outdated data, so all reads are repeated.
      if ((error.status === 404 || error.status === 409) && !failure.isSignIn) await refreshAll();
    } finally {
      running.current = false;
      setPending(false);
    }
  }
  return { run, pending };
}

/**
 * Returns a function that tells the user that the session has ended and opens the sign-in page. The sign-in returns to
 * this page.
 */
export function useLostSession(): (words?: string) => void {
  const navigate = useNavigate();
  const here = useLocation();
  const { mutate } = useSWRConfig();
  return (words = commonTexts.unauthorized) => {
    toast(commonTexts.unauthorizedTitle, words, 'destructive');
    setTimeout(() => {
      // Removes the user from the cache, because the sign-in page redirects signed-in users.
      void mutate(keys.user, null, { revalidate: false });
      navigate(authPath(here));
    }, REDIRECT_DELAY_MS);
  };
}
