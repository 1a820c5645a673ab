import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { currentHost, subscribeToToast } from './toast-store';

/** Screen readers look at a region first and then at what changes in it. */
const SETTLES_MS = 100;

interface LiveRegionProps {
  className: string | undefined;
  children: ReactNode;
}

/**
 * What is told beside the page: in the page, or in the dialog in front, which makes all else inert. The page's region
 * stays, and what was told in a dialog that has closed goes into it only once it is no longer inert.
 */
export function LiveRegion({ className, children }: LiveRegionProps) {
  const host = useSyncExternalStore(subscribeToToast, currentHost);
  const isPageBack = useSettled(host === null);
  const region = (content: ReactNode) => (
    <div className={className} role="status" aria-live="polite" aria-atomic="true">
      {content}
    </div>
  );
  return (
    <>
      {region(isPageBack ? children : null)}
      {host && createPortal(region(children), host)}
    </>
  );
}

function useSettled(state: boolean): boolean {
  const [settled, setSettled] = useState(state);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(state), SETTLES_MS);
    return () => clearTimeout(timer);
  }, [state]);
  return state && settled;
}
