const BET_DRAFT = 'bolts.bet-draft';

/** A half-written bet lives as long as its tab: through a reload and a sign-in, but no further. */
export function loadDraft<T extends object>(fallback: T): T {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(BET_DRAFT) ?? 'null');
    return stored && typeof stored === 'object' ? { ...fallback, ...sameShape(stored, fallback) } : fallback;
  } catch {
    return fallback;
  }
}

export function saveDraft(values: object): void {
  try {
    sessionStorage.setItem(BET_DRAFT, JSON.stringify(values));
  } catch {
    // Without storage the form still works; it just isn't kept.
  }
}

export function clearDraft(): void {
  try {
    sessionStorage.removeItem(BET_DRAFT);
  } catch {
    // Nothing was kept, so nothing is left to clear.
  }
}

/** Only what the form has, in the types it has: a draft of an older version must not break it. */
function sameShape<T extends object>(stored: object, fallback: T): Partial<T> {
  const kept = Object.entries(stored).filter(
    ([name, value]) => name in fallback && typeof value === typeof fallback[name as keyof T],
  );
  return Object.fromEntries(kept) as Partial<T>;
}
