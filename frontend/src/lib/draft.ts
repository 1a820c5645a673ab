import { forget, keep, recall } from './tab-storage';

const BET_DRAFT = 'bolts.bet-draft';

/** A half-written bet is kept as long as its tab. */
export function loadDraft<T extends object>(fallback: T): T {
  const stored = recall(BET_DRAFT);
  return stored && typeof stored === 'object' ? { ...fallback, ...sameShape(stored, fallback) } : fallback;
}

export const saveDraft = (values: object) => keep(BET_DRAFT, values);

export const clearDraft = () => forget(BET_DRAFT);

/** Keeps only the fields and types of the form, because a draft of an older version must not break it. */
function sameShape<T extends object>(stored: object, fallback: T): Partial<T> {
  const kept = Object.entries(stored).filter(
    ([name, value]) => name in fallback && typeof value === typeof fallback[name as keyof T],
  );
  return Object.fromEntries(kept) as Partial<T>;
}
