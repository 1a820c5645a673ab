import { useEffect, useRef, useState } from 'react';
import { useSWRConfig } from 'swr';
import { write } from '../../api/client';
import { keys } from '../../api/keys';
import type { Achievement, User } from '../../api/types';
import { useApi } from '../../api/useApi';
import { logFailure } from '../../lib/log';
import { rememberShown, shownIds } from './shown';

interface Unlocked {
  /** The achievement whose toast is shown now, or null. */
  first: Achievement | null;
  dismiss: () => void;
}

/** Finds newly unlocked achievements, queues each of them once for display, and claims their rewards in Bolts. */
export function useUnlocked(user: User): Unlocked {
  const { data } = useApi(keys.achievements);
  const [queue, setQueue] = useState<Achievement[]>([]);
  const claim = useClaim();
  const seen = useRef(new Set<string>());
  useEffect(() => {
    // The claim unlocks a reached achievement whose unlocking was missed, for example in two bets that ended at once.
    const unlocked = (data ?? []).filter(
      ({ percentage, unlockedAt }) => unlockedAt !== null || percentage >= 100,
    );
    const fresh = takeFresh(user.id, unlocked, seen.current);
    // A claimed achievement was already shown, on another device or in another tab.
    setQueue((now) => [...now, ...fresh.filter((achievement) => achievement.claimedAt === null)]);
    void claim(unlocked);
  }, [data, user.id, claim]);
  return { first: queue[0] ?? null, dismiss: () => setQueue((now) => now.slice(1)) };
}

/** Returns the achievements that this browser has not shown to this user yet, and marks them as shown. */
function takeFresh(userId: string, unlocked: Achievement[], seen: Set<string>): Achievement[] {
  if (unlocked.every(({ definition }) => seen.has(definition.id))) return [];
  const shown = shownIds(userId);
  const fresh = unlocked.filter(({ definition: { id } }) => !shown.has(id) && !seen.has(id));
  for (const { definition } of unlocked) seen.add(definition.id);
  if (fresh.length > 0) rememberShown(userId, new Set([...shown, ...seen]));
  return fresh;
}

/** Claims each reward once per page load. A failed claim is repeated after the next page load. */
function useClaim(): (unlocked: Achievement[]) => Promise<void> {
  const { mutate } = useSWRConfig();
  const asked = useRef(new Set<string>());
  const claim = useRef(async (unlocked: Achievement[]) => {
    const due = unlocked.filter(
      ({ definition, claimedAt }) =>
        claimedAt === null && definition.reward.bolts && !asked.current.has(definition.id),
    );
    for (const { definition } of due) asked.current.add(definition.id);
    const results = await Promise.all(due.map(({ definition }) => claimReward(definition)));
    if (results.includes(true)) await Promise.all([mutate(keys.user), mutate(keys.achievements)]);
  });
  return claim.current;
}

async function claimReward({ id, reward }: Achievement['definition']): Promise<boolean> {
  try {
    await write('POST', '/api/achievements/claim-reward', { achievementId: id, rewardBolts: reward.bolts });
    return true;
  } catch (error) {
    logFailure(`The reward of ${id} could not be claimed`, error);
    return false;
  }
}
