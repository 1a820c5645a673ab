import { Link, useLocation } from 'react-router-dom';
import { useSession } from '../api/session';
import { navTexts } from '../texts/common';
import styles from './BottomNav.module.css';
import { isCurrent, mainItems } from './nav-links';
import { TurnCount } from './TurnCount';

/** The main navigation on a phone, within reach of the thumb. */
export function BottomNav() {
  const { user } = useSession();
  const { pathname } = useLocation();
  if (!user || user.mustChangePassword) return null;
  return (
    <nav className={styles.bar} aria-label={navTexts.bottom}>
      {mainItems.map((item) => (
        <Link key={item.to} to={item.to} aria-current={isCurrent(item, pathname) ? 'page' : undefined}>
          <item.icon size={20} aria-hidden="true" />
          <span>
            {item.short ?? item.label}
            {item.to === '/portfolio' && <TurnCount />}
          </span>
        </Link>
      ))}
    </nav>
  );
}
