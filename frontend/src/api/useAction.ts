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

interface Failure {
  title: string;
  /** Shown where the server gave no words of its own. */
  fallback?: string;
  /** Instead of the usual words when the session has ended. */
  unauthorized?: string;
  /** Lets a form show the server's field errors; true when it took care of them. */
  onError?: (error: ApiError) => boolean;
}

export interface Action<A extends unknown[]> {
  run: (...args: A) => Promise<void>;
  pending: boolean;
}

/**
 * A write with its pending state: a second click while it runs does nothing, everything on screen is read
 * again afterwards, and a session that has ended leads to the sign-in and back.
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
      await refreshAll();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 401) handleLostSession(failure.unauthorized);
      else if (!failure.onError?.(error))
        toast(failure.title, error.message || failure.fallback || commonTexts.genericError, 'destructive');
      // A conflict means that the page showed something out of date.
      if (error.status === 404 || error.status === 409) await refreshAll();
    } finally {
      running.current = false;
      setPending(false);
    }
  }
  return { run, pending };
}

/** Says that the session is over and goes to the sign-in, which comes back to this page. */
export function useLostSession(): (words?: string) => void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { mutate } = useSWRConfig();
  return (words = commonTexts.unauthorized) => {
    toast(commonTexts.unauthorizedTitle, words, 'destructive');
    setTimeout(() => {
      // The sign-in screen sends those away who are signed in, as this page still believes its user to be.
      void mutate(keys.user, null, { revalidate: false });
      navigate(authPath(pathname + search));
    }, REDIRECT_DELAY_MS);
  };
}
