import { type ReactNode, useRef, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router-dom';
import { useSession } from '../api/session';
import { useKeptFocus } from '../lib/useKeptFocus';
import { commonTexts } from '../texts/common';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { TestSatsNote } from '../ui/TestSatsNote';
import { BottomNav } from './BottomNav';
import { NavBar } from './NavBar';
import styles from './Shell.module.css';
import { useScrollPosition } from './useScrollPosition';

/** The frame of every page: navigation, the page itself, and the footer with the disclaimer. */
export function Shell({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const { user: member } = useSession();
  const page = useRef<HTMLDivElement>(null);
  useKeptFocus(page);
  useScrollPosition();
  return (
    <div ref={page} className={styles.shell}>
      <a href="#content" className={styles.skip}>
        {commonTexts.skipToContent}
      </a>
      <NavBar />
      <div>
        <TestSatsNote as="aside" wanted={member !== null} />
        <OfflineNote />
      </div>
      <main id="content" className={styles.main} tabIndex={-1}>
        <ErrorBoundary key={pathname}>{children}</ErrorBoundary>
      </main>
      <footer className={styles.footer}>
        <p>{commonTexts.disclaimer}</p>
      </footer>
      <BottomNav />
    </div>
  );
}

function OfflineNote() {
  const online = useSyncExternalStore(
    followNetwork,
    () => navigator.onLine,
    () => true,
  );
  return <div role="status">{!online && <p className={styles.offline}>{commonTexts.offline}</p>}</div>;
}

function followNetwork(update: () => void) {
  window.addEventListener('online', update);
  window.addEventListener('offline', update);
  return () => {
    window.removeEventListener('online', update);
    window.removeEventListener('offline', update);
  };
}
