import { type RefObject, useEffect, useRef } from 'react';

/**
 * Takes the focus when its part of a dialog appears, since what had it before is gone. One frame later: a dialog that
 * opens puts the focus on its first control. Whoever types by then is left alone.
 */
export function useFocusOnMount<T extends HTMLElement>(): RefObject<T | null> {
  const place = useRef<T>(null);
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      if (!document.activeElement?.matches('input, textarea')) place.current?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return place;
}
