import type { User } from '../api/types';
import { useLiveUpdates } from '../api/useLiveUpdates';
import { AchievementWatch } from '../features/achievements/components/AchievementWatch';

/** The parts that run beside every page of a signed-in user. They load after the page. */
export default function Companion({ user }: { user: User }) {
  useLiveUpdates();
  return <AchievementWatch user={user} />;
}
