import { useEffect, useState } from 'react';
import type { Message } from '../../api/types';

const key = (userId: string, betId: string) => `bolts.messages-seen.${userId}.${betId}`;

function load(userId: string, betId: string): string {
  try {
    return localStorage.getItem(key(userId, betId)) ?? '';
  } catch {
    return '';
  }
}

function store(userId: string, betId: string, id: string): void {
  try {
    localStorage.setItem(key(userId, betId), id);
  } catch {
    // Without storage, the messages count as new again after the next page load.
  }
}

/**
 * The ids of the messages of others that are new to this user. They stay new until the user leaves the page, so that the
 * mark does not disappear under the reader's eyes. Ids sort by the time of writing.
 */
export function useUnread(
  messages: readonly Message[],
  userId: string | null,
  betId: string,
  isInView: boolean,
): ReadonlySet<string> {
  const [seen] = useState(() => (userId ? load(userId, betId) : ''));
  const newest = messages.at(-1)?.id;
  useEffect(() => {
    if (isInView && userId && newest && newest > load(userId, betId)) store(userId, betId, newest);
  }, [isInView, userId, betId, newest]);
  if (!userId) return new Set();
  const isNew = ({ id, author, deletedAt }: Message) => id > seen && author.id !== userId && !deletedAt;
  return new Set(messages.filter(isNew).map(({ id }) => id));
}
