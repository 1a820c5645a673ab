import type { User } from '../api/types';
import { useLiveUpdates } from '../api/useLiveUpdates';
import { AchievementWatch } from '../features/achievements/components/AchievementWatch';
import { Shortcuts } from './Shortcuts';
import { StepUpGate } from './StepUpGate';

/**
 * The live updates, the achievement toasts, the shortcuts and the question for the second factor, for every page of a
 * signed-in user. This code loads after the page.
 */
export default function Companion({ user }: { user: User }) {
  useLiveUpdates();
  return (
    <>
      <AchievementWatch user={user} />
      <Shortcuts />
      <StepUpGate />
    </>
  );
}
