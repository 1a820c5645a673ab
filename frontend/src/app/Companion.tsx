import { useEffect } from 'react';
import type { User } from '../api/types';
import { useLiveUpdates } from '../api/useLiveUpdates';
import { AchievementWatch } from '../features/achievements/components/AchievementWatch';
import { useThisDevice } from '../features/notifications/push/useThisDevice';
import { fullLoad } from '../lib/paths';
import { forgetAll } from '../lib/tab-storage';
import { onThemeChange } from '../lib/theme';
import { paintBars } from '../lib/theme-color';
import { Shortcuts } from './Shortcuts';
import { StepUpGate } from './StepUpGate';

/**
 * What accompanies every page of a signed-in user. This code loads after the page. A user who must change a one-time
 * password gets only the question for the second factor, because the change may need the factor.
 */
export default function Companion({ user }: { user: User }) {
  useOneUser(user.id);
  return (
    <>
      {!user.mustChangePassword && <MemberParts user={user} />}
      <StepUpGate />
    </>
  );
}

/** The first user of this page. A sign-out in another tab removes the component, but the page keeps what the user typed. */
let firstId: string | undefined;

/**
 * Loads the page again after another user has signed in in another tab. The page must not show the new user what the first
 * user typed, or secrets of the first user such as recovery codes.
 */
function useOneUser(userId: string) {
  useEffect(() => {
    firstId ??= userId;
    if (userId === firstId) return;
    // The forms may have stored the typed text as drafts of the new user. Their effects run before this one.
    forgetAll();
    fullLoad(window.location.pathname + window.location.search);
  }, [userId]);
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
