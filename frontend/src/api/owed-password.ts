const MARK = 'bolts.password-owed';

/**
 * Whether the last user who signed in with this browser must still change a one-time password. Until the change, the
 * server refuses all reads except the read of the current user. So the page starts no other reads early.
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
    // Without storage, the page sends reads that the server refuses. The user does not see these errors.
  }
}
