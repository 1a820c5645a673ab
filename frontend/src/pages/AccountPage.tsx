import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useSession } from '../api/session';
import type { User } from '../api/types';
import { AppearanceCard } from '../features/account/components/AppearanceCard';
import { BalancesCard, OverviewCard } from '../features/account/components/OverviewCards';
import { PasswordCard } from '../features/account/components/PasswordCard';
import { ProfileCard } from '../features/account/components/ProfileCard';
import { EmailCard } from '../features/mail/EmailCard';
import { PreferencesCard } from '../features/notifications/PreferencesCard';
import { whenIdle } from '../lib/idle';
import { authPath } from '../lib/paths';
import { accountTexts as texts } from '../texts/account';
import { ButtonAnchor, ButtonLink } from '../ui/Button';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { PageHeading } from '../ui/Heading';
import { MessagePage } from '../ui/MessagePage';
import page from '../ui/page.module.css';
import { Skeleton } from '../ui/Skeleton';
import styles from './AccountPage.module.css';

// The parts below the first screen. They are in chunks that exist anyway: one more name would make the initial load larger.
const Payments = lazy(
  whenIdle(() => import(/* webpackChunkName: "late" */ '../features/wallet/components/Payments')),
);
const SecurityParts = lazy(
  whenIdle(() => import(/* webpackChunkName: "security" */ '../features/account/security/SecurityParts')),
);
const DataParts = lazy(
  whenIdle(() => import(/* webpackChunkName: "security" */ '../features/account/data/DataParts')),
);
const DeviceCard = lazy(
  whenIdle(() => import(/* webpackChunkName: "security" */ '../features/notifications/push/DeviceCard')),
);
const WebhookCard = lazy(
  whenIdle(() => import(/* webpackChunkName: "late" */ '../features/notifications/WebhookCard')),
);

export default function AccountPage() {
  const { user } = useSession();
  const here = useLocation();
  const [isDeleted, setDeleted] = useState(false);
  if (isDeleted) {
    return (
      <MessagePage title={texts.deleted} message={texts.deletedHint}>
        <ButtonAnchor href="/" tone="primary">
          {texts.start}
        </ButtonAnchor>
      </MessagePage>
    );
  }
  if (!user) {
    return (
      <MessagePage title={texts.denied} message={texts.deniedHint}>
        <ButtonLink to={authPath(here)} tone="primary">
          {texts.login}
        </ButtonLink>
      </MessagePage>
    );
  }
  return <Sections user={user} onDeleted={() => setDeleted(true)} />;
}

interface SectionsProps {
  user: User;
  onDeleted: () => void;
}

function Sections({ user, onDeleted }: SectionsProps) {
  return (
    <div className={page.stack}>
      <PageHeading>{texts.title}</PageHeading>
      <SectionLinks />
      <Section name="profile">
        <div className={page.columns}>
          <div>
            <ProfileCard key={user.id} user={user} />
          </div>
          <div>
            <OverviewCard user={user} />
            <EmailCard user={user} />
            <AppearanceCard />
          </div>
        </div>
      </Section>
      <Section name="wallet">
        <BalancesCard user={user} />
        <LatePart>
          <Payments />
        </LatePart>
      </Section>
      <Section name="notifications">
        <PreferencesCard />
        <LatePart>
          <DeviceCard user={user} />
          <WebhookCard />
        </LatePart>
      </Section>
      <Section name="security">
        <div className={page.columns}>
          <div>
            <LatePart>
              <SecurityParts user={user} />
            </LatePart>
          </div>
          <div>
            <PasswordCard email={user.email} />
          </div>
        </div>
      </Section>
      <Section name="data">
        <LatePart>
          <DataParts user={user} onDeleted={onDeleted} />
        </LatePart>
      </Section>
    </div>
  );
}

/** Parts of the page whose code loads later. If the code does not load, the rest of the page shows without them. */
function LatePart({ children }: { children: ReactNode }) {
  return (
    <ErrorBoundary fallback={null}>
      <Suspense fallback={<Skeleton size="panel" />}>{children}</Suspense>
    </ErrorBoundary>
  );
}

const NAMES = ['profile', 'wallet', 'notifications', 'security', 'data'] as const;
type Name = (typeof NAMES)[number];

const SETTLES_MS = 5_000;
const USER_MOVES = ['wheel', 'touchstart', 'keydown', 'pointerdown'];

/**
 * Moves the focus to an element and scrolls to it. Parts above it load later and push it down, so it stays in view until
 * the page has settled or the user moves. Returns a function that ends this.
 */
function keepInView(id: string): () => void {
  const place = document.getElementById(id);
  const scroll = () => place?.scrollIntoView?.();
  place?.focus({ preventScroll: true });
  scroll();
  const observer = 'ResizeObserver' in window ? new ResizeObserver(scroll) : null;
  observer?.observe(document.body);
  const timer = setTimeout(end, SETTLES_MS);
  for (const move of USER_MOVES) window.addEventListener(move, end, { passive: true });
  function end() {
    clearTimeout(timer);
    observer?.disconnect();
    for (const move of USER_MOVES) window.removeEventListener(move, end);
  }
  return end;
}

/** The links to the sections. The address of a section is the page with its name as the fragment. */
function SectionLinks() {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a second press of the same link changes only the key
  useEffect(() => (hash ? keepInView(hash.slice(1)) : undefined), [hash, key]);
  return (
    <nav className={styles.sections} aria-label={texts.sectionsLabel}>
      {NAMES.map((name) => (
        <Link key={name} to={`#${name}`} aria-current={hash === `#${name}` ? 'location' : undefined}>
          {texts.sections[name]}
        </Link>
      ))}
    </nav>
  );
}

function Section({ name, children }: { name: Name; children: ReactNode }) {
  return (
    <div id={name} tabIndex={-1} className={`${page.stack} ${styles.section}`}>
      {children}
    </div>
  );
}
