import { useEffect, useRef, useState } from 'react';

const SHOWN_MS = 5000;
const LEAVING_MS = 300;

export interface Showing {
  leaving: boolean;
  leave: () => void;
}

/**
 * For how long one thing is shown before the next. Held beside what shows it, which is rendered anew, there or on the
 * page, whenever a dialog opens or closes.
 */
export function useShowing(id: string | null, onEnd: () => void): Showing {
  const [leavingId, setLeavingId] = useState<string | null>(null);
  const leaving = id !== null && leavingId === id;
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    if (id === null) return;
    const timer = leaving
      ? setTimeout(() => end.current(), LEAVING_MS)
      : setTimeout(() => setLeavingId(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, leaving]);
  return { leaving, leave: () => setLeavingId(id) };
}
