import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { currentHost, subscribeToToast } from './toast-store';

/** The time that a screen reader needs to notice a region. Only then does it announce changes of the region. */
const SETTLES_MS = 100;

interface LiveRegionProps {
  className: string | undefined;
  children: ReactNode;
}

/**
 * Announces toasts to screen readers. An open dialog makes the page inert, so the announcement is then inside the
 * dialog. The region of the page stays mounted. After the dialog has closed, this region waits with its text until the
 * page is no longer inert.
 */
export function LiveRegion({ className, children }: LiveRegionProps) {
  const host = useSyncExternalStore(subscribeToToast, currentHost, currentHost);
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
