import { useEffect, useState } from 'react';
import { type Session, useSession } from '../api/session';

const LOADING_LIMIT_MS = 8000;

export type Access = 'loading' | 'signed-in' | 'signed-out' | 'unreachable';

/**
 * The session, with the access that follows from it. If the session fails to load or takes over 8 seconds, the access
 * is 'unreachable', and the user sees the landing page.
 */
export function useAccess(): Session & { access: Access } {
  const session = useSession();
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!session.loading) return;
    const timer = setTimeout(() => setSlow(true), LOADING_LIMIT_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [session.loading]);
  return { ...session, access: accessOf(session, slow) };
}

function accessOf(session: Session, slow: boolean): Access {
  if (session.user) return 'signed-in';
  if (session.error) return 'unreachable';
  if (session.loading) return slow ? 'unreachable' : 'loading';
  return 'signed-out';
}
