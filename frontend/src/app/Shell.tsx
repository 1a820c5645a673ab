import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router-dom';
import { useConfig } from '../api/config';
import { useSession } from '../api/session';
import { useKeptFocus } from '../lib/useKeptFocus';
import { commonTexts, satsTexts } from '../texts/common';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { BottomNav } from './BottomNav';
import { NavBar } from './NavBar';
import styles from './Shell.module.css';

/** The frame of every page: navigation, the page itself, and the footer with the disclaimer. */
export function Shell({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const page = useRef<HTMLDivElement>(null);
  useKeptFocus(page);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page starts at its top
  useEffect(() => {
    // The braces keep the effect from returning a value. In newer browsers `scrollTo` returns a promise, which React
    // would use as the clean-up of the effect.
    window.scrollTo(0, 0);
  }, [pathname]);
  return (
    <div ref={page} className={styles.shell}>
      <a href="#content" className={styles.skip}>
        {commonTexts.skipToContent}
      </a>
      <NavBar />
      <OfflineNote />
      <main id="content" className={styles.main} tabIndex={-1}>
        <ErrorBoundary key={pathname}>{children}</ErrorBoundary>
      </main>
      <footer className={styles.footer}>
        <TestSatsNote />
        <p>{commonTexts.disclaimer}</p>
      </footer>
      <BottomNav />
    </div>
  );
}

/** Tells signed-in users that the sats in their balance are test sats. */
function TestSatsNote() {
  const { user } = useSession();
  const config = useConfig(user !== null);
  return config?.isTestMode ? <p className={styles.testSats}>{satsTexts.testTitle}</p> : null;
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
