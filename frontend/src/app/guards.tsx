import { useEffect, useState } from 'react';
import { type Session, useSession } from '../api/session';

const LOADING_LIMIT_MS = 8000;

export type Access = 'loading' | 'signed-in' | 'signed-out' | 'unreachable';

/** What a visitor may see. A session that fails to load, or takes over 8 seconds, counts as no session. */
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
