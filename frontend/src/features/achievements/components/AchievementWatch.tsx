import type { User } from '../../../api/types';
import { useUnlocked } from '../useUnlocked';
import { AchievementToast } from './AchievementToast';
import styles from './AchievementToast.module.css';

/** On every screen: says what has been unlocked, one after the other. */
export function AchievementWatch({ user }: { user: User }) {
  const { first, dismiss } = useUnlocked(user);
  return (
    <div className={styles.region} role="status" aria-live="polite">
      {first && <AchievementToast key={first.definition.id} achievement={first} onDismiss={dismiss} />}
    </div>
  );
}
