import type { User } from '../../../api/types';
import { LiveRegion } from '../../../ui/LiveRegion';
import { useShowing } from '../useShowing';
import { useUnlocked } from '../useUnlocked';
import { AchievementToast } from './AchievementToast';
import styles from './AchievementToast.module.css';

/** Shows a toast for each newly unlocked achievement, on every page and one toast after the other. */
export function AchievementWatch({ user }: { user: User }) {
  const { first, dismiss } = useUnlocked(user);
  const showing = useShowing(first?.definition.id ?? null, dismiss);
  return (
    <LiveRegion className={styles.region}>
      {first && <AchievementToast key={first.definition.id} achievement={first} showing={showing} />}
    </LiveRegion>
  );
}
