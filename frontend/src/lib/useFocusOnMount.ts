import { type RefObject, useEffect, useRef } from 'react';

/**
 * Moves the focus to an element when its part of a dialog appears, because the element with the focus is gone. This
 * happens one frame later, because an opening dialog focuses its first control. If the user is already typing, the
 * focus stays.
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
