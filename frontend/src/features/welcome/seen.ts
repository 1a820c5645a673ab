/** The first steps that a user has finished or skipped in this browser. */
export type Step = 'ideas' | 'name';

const key = (userId: string, step: Step) => `bolts.welcome.${step}.${userId}`;

export function isDone(userId: string, step: Step): boolean {
  try {
    return localStorage.getItem(key(userId, step)) !== null;
  } catch {
    return false;
  }
}

export function markDone(userId: string, step: Step): void {
  try {
    localStorage.setItem(key(userId, step), 'done');
  } catch {
    // Without storage, the step shows again after the next page load.
  }
}
