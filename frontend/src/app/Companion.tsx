import type { User } from '../api/types';
import { useLiveUpdates } from '../api/useLiveUpdates';
import { AchievementWatch } from '../features/achievements/components/AchievementWatch';
import { Shortcuts } from './Shortcuts';

/** The live updates, the achievement toasts and the shortcuts for every page of a signed-in user. This code loads after the page. */
export default function Companion({ user }: { user: User }) {
  useLiveUpdates();
  return (
    <>
      <AchievementWatch user={user} />
      <Shortcuts />
    </>
  );
}
