import type { User } from '../api/types';
import { useLiveUpdates } from '../api/useLiveUpdates';
import { AchievementWatch } from '../features/achievements/components/AchievementWatch';

/** The live updates and the achievement toasts for every page of a signed-in user. This code loads after the page. */
export default function Companion({ user }: { user: User }) {
  useLiveUpdates();
  return <AchievementWatch user={user} />;
}
