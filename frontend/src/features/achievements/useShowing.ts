import { useEffect, useRef, useState } from 'react';

const SHOWN_MS = 5000;
const LEAVING_MS = 300;

export interface Showing {
  leaving: boolean;
  leave: () => void;
  /** Says whether the toast is hidden. The time of a hidden toast does not run. */
  hide: (hidden: boolean) => void;
}

/**
 * Decides how long the toast of an achievement is visible. The toast component cannot keep this state, because the
 * toast is mounted again whenever a dialog opens or closes.
 */
export function useShowing(id: string | null, onEnd: () => void): Showing {
  const [leavingId, setLeavingId] = useState<string | null>(null);
  const [hiddenId, setHiddenId] = useState<string | null>(null);
  const hidden = id !== null && hiddenId === id;
  const leaving = id !== null && leavingId === id;
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    if (id === null || hidden) return;
    const timer = leaving
      ? setTimeout(() => end.current(), LEAVING_MS)
      : setTimeout(() => setLeavingId(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, leaving, hidden]);
  return { leaving, leave: () => setLeavingId(id), hide: (hides) => setHiddenId(hides ? id : null) };
}
