import { type RefObject, useEffect, useState } from 'react';

/** Whether the element is on screen. A browser without observers counts every element as on screen. */
export function useInView(element: RefObject<HTMLElement | null>): boolean {
  const [inView, setInView] = useState(!('IntersectionObserver' in window));
  useEffect(() => {
    if (!element.current || !('IntersectionObserver' in window)) return;
    const observer = new IntersectionObserver((entries) => {
      // The last entry is the newest.
      for (const { isIntersecting } of entries) setInView(isIntersecting);
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return inView;
}
