import { Gift, ShieldCheck } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router-dom';
import { useConfig } from '../api/config';
import { useSession } from '../api/session';
import type { Problem } from '../api/types';
import { AuthForm, type AuthMode } from '../features/auth/components/AuthForm';
import { PasskeyAlone } from '../features/auth/components/PasskeySignIn';
import { SecondStep } from '../features/auth/components/SecondStep';
import { safePath } from '../lib/paths';
import { authTexts as texts } from '../texts/auth';
import { mailTexts } from '../texts/mail';
import { PageHeading } from '../ui/Heading';
import styles from './AuthPage.module.css';

export default function AuthPage() {
  const [chosen, setMode] = useState<AuthMode | null>(null);
  const [email, setEmail] = useState('');
  /** The server's answer to a right password, if it asked for the second factor. */
  const [half, setHalf] = useState<Partial<Problem> | null>(null);
  const [query] = useSearchParams();
  const { user } = useSession();
  const next = safePath(query.get('next'));
  const config = useConfig();
  const isHydrated = useHydrated();
  const mode = chosen ?? (isHydrated && query.has('new') ? 'create' : 'sign-in');
  if (user) return <Navigate to={next} replace />;

  const creating = mode === 'create';
  const turn = creating ? texts.toSignIn : texts.toCreate;
  if (half) {
    return (
      <div className={styles.slip}>
        <div className={styles.form}>
          <PageHeading>{texts.signInTitle}</PageHeading>
          <SecondStep problem={half} next={next} onBack={() => setHalf(null)} />
        </div>
      </div>
    );
  }
  return (
    <div className={styles.slip}>
      <div className={styles.form}>
        <PageHeading>{creating ? texts.createTitle : texts.signInTitle}</PageHeading>
        <AuthForm
          // Only a switch by the user begins a new form. The rendered form keeps what was typed before the script was loaded,
          // also if it then becomes the form of a new account.
          key={chosen}
          mode={mode}
          next={next}
          email={email}
          onEmail={setEmail}
          onSecondFactor={setHalf}
        />
        {!creating && config?.hasPasskeys && <PasskeyAlone next={next} />}
        <p className={styles.turn}>
          {turn.question}{' '}
          <button type="button" onClick={() => setMode(creating ? 'sign-in' : 'create')}>
            {turn.link}
          </button>
        </p>
        {!creating && config?.sendsMail && (
          <p className={styles.turn}>
            <Link to="/mail/forgot">{mailTexts.forgot.link}</Link>
          </p>
        )}
      </div>
      <Promises />
    </div>
  );
}

/** What the site promises to users, beside the form. */
function Promises() {
  return (
    <aside className={styles.side} aria-label={texts.promises}>
      <div className={styles.lead}>
        <Gift size={24} aria-hidden="true" />
        <p className={styles.strong}>{texts.grant.title}</p>
        <p>{texts.grant.text}</p>
      </div>
      <div className={styles.lead}>
        <ShieldCheck size={24} aria-hidden="true" />
        <p className={styles.strong}>{texts.secure.title}</p>
        <p>{texts.secure.text}</p>
      </div>
      <ul className={styles.cards}>
        {texts.cards.map((card) => (
          <li key={card.title}>
            <p className={styles.strong}>{card.title}</p>
            <p>{card.text}</p>
          </li>
        ))}
      </ul>
    </aside>
  );
}

const never = () => () => {};

/**
 * False while React takes over the page that the build has rendered. The build does not know the query of the address,
 * so it renders the sign-in side.
 */
function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
