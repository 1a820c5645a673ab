import { logFailure } from '../../lib/log';

const key = (userId: string) => `bolts.achievements-shown.${userId}`;

/** The ids of the achievements that this browser has shown to this user. An unreadable stored list counts as empty. */
export function shownIds(userId: string): Set<string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key(userId)) ?? '[]');
    if (!Array.isArray(stored)) throw new TypeError('not a list');
    return new Set(stored.filter((id) => typeof id === 'string'));
  } catch (error) {
    logFailure('The shown achievements could not be read', error);
    return new Set();
  }
}

export function rememberShown(userId: string, ids: Iterable<string>): void {
  try {
    localStorage.setItem(key(userId), JSON.stringify([...ids]));
  } catch (error) {
    logFailure('The shown achievements could not be kept', error);
  }
}
