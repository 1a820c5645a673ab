import { useEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';

/** The scroll positions of the entries in the browser's history, by their keys. */
const positions = new Map<string, number>();

/** Starts a new page at its top. The back button leads to the place at which the user left the page. */
export function useScrollPosition(): void {
  const { key, pathname } = useLocation();
  const isReturn = useNavigationType() === 'POP';
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the page scrolls
  useEffect(() => {
    const position = isReturn ? positions.get(key) : 0;
    // After a reload the browser restores the position.
    if (position !== undefined) window.scrollTo(0, position);
  }, [pathname]);
  useEffect(() => {
    function note() {
      // On the way back, the browser scrolls while the page that the user leaves still shows.
      if ((window.history.state?.key ?? 'default') === key) positions.set(key, window.scrollY);
    }
    note();
    window.addEventListener('scroll', note);
    return () => window.removeEventListener('scroll', note);
  }, [key]);
}
