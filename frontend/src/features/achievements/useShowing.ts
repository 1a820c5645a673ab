import { useEffect, useRef, useState } from 'react';

const SHOWN_MS = 5000;
const LEAVING_MS = 300;

export interface Showing {
  leaving: boolean;
  leave: () => void;
}

/**
 * The time for which an achievement is shown. The state is outside of the toast, because the toast is mounted again
 * whenever a dialog opens or closes.
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
