import { useEffect } from 'react';
import type { User } from '../api/types';
import { useLiveUpdates } from '../api/useLiveUpdates';
import { AchievementWatch } from '../features/achievements/components/AchievementWatch';
import { useThisDevice } from '../features/notifications/push/useThisDevice';
import { onThemeChange } from '../lib/theme';
import { paintBars } from '../lib/theme-color';
import { Shortcuts } from './Shortcuts';
import { StepUpGate } from './StepUpGate';

/**
 * What accompanies every page of a signed-in user. This code loads after the page. A user who must change a one-time
 * password gets only the question for the second factor, because the change may need the factor.
 */
export default function Companion({ user }: { user: User }) {
  return (
    <>
      {!user.mustChangePassword && <MemberParts user={user} />}
      <StepUpGate />
    </>
  );
}

/** The live updates, the achievement toasts, the shortcuts and the notifications of the device. */
function MemberParts({ user }: { user: User }) {
  useLiveUpdates();
  useThisDevice(user);
  useEffect(() => {
    paintBars();
    return onThemeChange(paintBars);
  }, []);
  return (
    <>
      <AchievementWatch user={user} />
      <Shortcuts />
    </>
  );
}
