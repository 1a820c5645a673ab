const MARK = 'bolts.password-owed';

/**
 * Whether the last user who signed in here must change a one-time password first. Until then the server refuses all
 * reads except the current user, and the page makes no others.
 */
export function owesPassword(): boolean {
  try {
    return localStorage.getItem(MARK) !== null;
  } catch {
    return false;
  }
}

export function noteOwedPassword(owed: boolean): void {
  try {
    if (owed) localStorage.setItem(MARK, '');
    else localStorage.removeItem(MARK);
  } catch {
    // Without storage some reads are refused. No page shows this.
  }
}
