import { forget, keep, recall } from './tab-storage';

/** The bet that has replaced the user's unfinished one, and the unfinished one. */
interface Aside {
  by: object;
  draft: object | null;
}

/** The names of the form's values in the storage of the tab, and of an unfinished bet that is set aside. */
const draftOf = (userId: string) => `bolts.bet-draft.${userId}`;
const asideOf = (userId: string) => `bolts.bet-draft-aside.${userId}`;

/** Loads the user's draft of an unfinished bet. The browser keeps the draft until its tab is closed. */
export function loadDraft<T extends object>(userId: string, fallback: T): T {
  return inShapeOf(fallback, recall(draftOf(userId))) ?? fallback;
}

/** Keeps the values of the form. Values that equal `empty` are no draft. */
export function saveDraft<T extends object>(userId: string, values: T, empty?: T) {
  if (empty && contains(values, empty)) forget(draftOf(userId));
  else keep(draftOf(userId), values);
}

/**
 * Fills the form with a bet that the user has not written, such as a rematch. The user's own unfinished bet is set
 * aside. A bet that an earlier call has filled in, and that the user has not changed, is no unfinished bet.
 */
export function replaceDraft(userId: string, by: object) {
  const before = recall(draftOf(userId)) as object | null;
  const last = recall(asideOf(userId)) as Aside | null;
  const isOwn = before !== null && !(last && contains(before, last.by));
  keep(asideOf(userId), { by, draft: isOwn ? before : (last?.draft ?? null) });
  keep(draftOf(userId), by);
}

/** The unfinished bet that is set aside. Null if there is none. */
export function draftAside<T extends object>(userId: string, fallback: T): T | null {
  return inShapeOf(fallback, (recall(asideOf(userId)) as Aside | null)?.draft);
}

/** Ends the work on the current draft. A bet that is set aside becomes the draft again. */
export function finishDraft(userId: string) {
  const aside = recall(asideOf(userId)) as Aside | null;
  forget(asideOf(userId));
  if (aside?.draft) keep(draftOf(userId), aside.draft);
  else forget(draftOf(userId));
}

/**
 * A stored draft in the shape of the form. Keeps only values whose name and type match the form, because a draft from an
 * older version must not break the form.
 */
function inShapeOf<T extends object>(fallback: T, stored: unknown): T | null {
  if (!stored || typeof stored !== 'object') return null;
  const kept = Object.entries(stored).filter(
    ([name, value]) => name in fallback && typeof value === typeof fallback[name as keyof T],
  );
  return { ...fallback, ...Object.fromEntries(kept) };
}

function contains(values: object, part: object): boolean {
  const known = new Map(Object.entries(values));
  return Object.entries(part).every(([name, value]) => known.get(name) === value);
}
