/** 'on': the user has turned on notifications in this browser. 'offered': the user has seen the offer and closed it. */
type Mark = 'on' | 'offered';

const key = (userId: string, mark: Mark) => `bolts.push.${mark}.${userId}`;

export function hasMark(userId: string, mark: Mark): boolean {
  try {
    return localStorage.getItem(key(userId, mark)) !== null;
  } catch {
    return false;
  }
}

export function setMark(userId: string, mark: Mark, isSet = true): void {
  try {
    if (isSet) localStorage.setItem(key(userId, mark), '');
    else localStorage.removeItem(key(userId, mark));
  } catch {
    // Without storage, the notifications of this browser end with the page.
  }
}
