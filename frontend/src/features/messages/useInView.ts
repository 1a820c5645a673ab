import { type RefObject, useEffect, useState } from 'react';

/** Whether the user has seen the element on screen. A browser without observers counts every element as seen. */
export function useInView(element: RefObject<HTMLElement | null>): boolean {
  const [inView, setInView] = useState(!('IntersectionObserver' in window));
  useEffect(() => {
    if (!element.current || inView) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setInView(true);
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, inView]);
  return inView;
}
