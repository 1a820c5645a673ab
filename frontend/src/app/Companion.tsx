import type { User } from '../api/types';
import { useLiveUpdates } from '../api/useLiveUpdates';
import { AchievementWatch } from '../features/achievements/components/AchievementWatch';

/** What runs beside every page of someone signed in; loaded after the page itself. */
export default function Companion({ user }: { user: User }) {
  useLiveUpdates();
  return <AchievementWatch user={user} />;
}
