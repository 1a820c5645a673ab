import { forget, keep, recall } from './tab-storage';

const BET_DRAFT = 'bolts.bet-draft';

/** Loads the draft of an unfinished bet. The browser keeps the draft until its tab is closed. */
export function loadDraft<T extends object>(fallback: T): T {
  const stored = recall(BET_DRAFT);
  return stored && typeof stored === 'object' ? { ...fallback, ...sameShape(stored, fallback) } : fallback;
}

export const saveDraft = (values: object) => keep(BET_DRAFT, values);

export const clearDraft = () => forget(BET_DRAFT);

/**
 * Keeps only values whose name and type match the form, because a draft from an older version must not break the form.
 */
function sameShape<T extends object>(stored: object, fallback: T): Partial<T> {
  const kept = Object.entries(stored).filter(
    ([name, value]) => name in fallback && typeof value === typeof fallback[name as keyof T],
  );
  return Object.fromEntries(kept) as Partial<T>;
}
