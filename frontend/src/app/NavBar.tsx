import { Menu, Moon, Sun, X } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { type ApiError, write } from '../api/client';
import { forgetIdempotencyKeys } from '../api/idempotency';
import { useSession } from '../api/session';
import type { User } from '../api/types';
import { NotificationBell } from '../features/notifications/NotificationBell';
import { balanceOf, CURRENCIES, currencyName, formatNumber } from '../lib/money';
import { authPath, fullLoad } from '../lib/paths';
import { runSignOutTasks } from '../lib/sign-out';
import { forgetAll } from '../lib/tab-storage';
import { chooseTheme, currentTheme, onThemeChange } from '../lib/theme';
import { commonTexts, navTexts } from '../texts/common';
import { Button, ButtonLink } from '../ui/Button';
import { Logo } from '../ui/Logo';
import { toast } from '../ui/toast-store';
import { Unit } from '../ui/Unit';
import styles from './NavBar.module.css';
import { isCurrent, navItems } from './nav-links';
import { TurnCount } from './TurnCount';

export function NavBar() {
  const { user } = useSession();
  const here = useLocation();
  const [open, setOpen] = useState(false);
  // Until a user has changed a one-time password, the bar offers no member pages. The user can only sign out.
  const member = user?.mustChangePassword ? null : user;
  const close = () => setOpen(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the back button and shortcuts change the path too
  useEffect(close, [here.pathname]);
  return (
    <header className={styles.bar}>
      <div className={styles.inner}>
        <Link to="/landing" className={styles.brand} aria-label={navTexts.home}>
          <Logo />
          <span className={styles.word}>{commonTexts.brand}</span>
        </Link>
        {member && <PlaceLinks user={member} className={styles.places} />}
        <div className={styles.right}>
          {member && <Balances user={member} />}
          <ThemeSwitch />
          {user && !member && <LogoutButton />}
          {member && (
            <>
              <NotificationBell />
              <span className={styles.desktop}>
                <LogoutButton />
              </span>
              <button
                type="button"
                className={styles.menuButton}
                aria-label={navTexts.menu}
                aria-expanded={open}
                aria-controls="mobile-menu"
                onClick={() => setOpen(!open)}
              >
                {open ? <X size={22} aria-hidden="true" /> : <Menu size={22} aria-hidden="true" />}
              </button>
            </>
          )}
          {!user && here.pathname !== '/auth' && (
            <ButtonLink to={authPath(here)} tone="primary" small>
              {navTexts.signIn}
            </ButtonLink>
          )}
        </div>
      </div>
      {member && (
        <div id="mobile-menu" className={styles.mobileMenu} hidden={!open}>
          <PlaceLinks user={member} onChoose={close} className={styles.mobilePlaces} />
          <LogoutButton onStart={close} />
        </div>
      )}
    </header>
  );
}

interface PlaceLinksProps {
  user: User;
  className: string | undefined;
  onChoose?: () => void;
}

function PlaceLinks({ user, className, onChoose }: PlaceLinksProps) {
  const { pathname } = useLocation();
  return (
    <nav className={className} aria-label={onChoose ? navTexts.menu : navTexts.main}>
      {navItems(user).map((item) => (
        <Link
          key={item.to}
          to={item.to}
          aria-current={isCurrent(item, pathname) ? 'page' : undefined}
          onClick={onChoose}
        >
          <span>
            {item.label}
            {item.to === '/portfolio' && <TurnCount />}
          </span>
        </Link>
      ))}
    </nav>
  );
}

function Balances({ user }: { user: User }) {
  return (
    <dl className={styles.balances}>
      {CURRENCIES.map((currency) => (
        <div key={currency}>
          <dt className="visually-hidden">{navTexts.balance(currencyName(currency))}</dt>
          <dd>
            <b data-testid={`${currency}-balance`}>{formatNumber(balanceOf(user, currency) ?? 0)}</b>{' '}
            <Unit currency={currency} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function ThemeSwitch() {
  // The build does not know the user's theme, so it renders the light theme.
  const theme = useSyncExternalStore(onThemeChange, currentTheme, () => 'light');
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <button
      type="button"
      className={styles.iconButton}
      aria-label={other === 'dark' ? navTexts.toDark : navTexts.toLight}
      onClick={() => chooseTheme(other)}
    >
      {other === 'dark' ? <Moon size={20} aria-hidden="true" /> : <Sun size={20} aria-hidden="true" />}
    </button>
  );
}

function LogoutButton({ onStart }: { onStart?: () => void }) {
  const [pending, setPending] = useState(false);
  const { mutate } = useSWRConfig();
  async function logout() {
    onStart?.();
    setPending(true);
    try {
      await write('POST', '/api/auth/logout');
    } catch (failure) {
      const error = failure as ApiError;
      // A 401 means that the session has ended already.
      if (error.status !== 401) {
        setPending(false);
        return toast(navTexts.signedIn, error.message, 'destructive');
      }
    }
    await runSignOutTasks();
    await mutate(() => true, undefined, { revalidate: false });
    forgetAll();
    forgetIdempotencyKeys();
    fullLoad('/');
  }
  return (
    <Button small pending={pending} pendingLabel={navTexts.loggingOut} onClick={logout}>
      {navTexts.logout}
    </Button>
  );
}
