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
 * The live updates, the achievement toasts, the shortcuts, the question for the second factor and the notifications of
 * the device, for every page of a signed-in user. This code loads after the page.
 */
export default function Companion({ user }: { user: User }) {
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
      <StepUpGate />
    </>
  );
}
