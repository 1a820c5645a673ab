import { type RefObject, useEffect, useRef } from 'react';

/**
 * Moves the focus to the returned element when it appears in an open dialog, because the element that had the focus is
 * gone. This happens one frame later, because a dialog that opens focuses its first control. If an input has the focus,
 * the focus does not move.
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
