import { ASIDE, BET_DRAFT, clearDraft } from './clear-draft';
import { forget, keep, recall } from './tab-storage';

/** The bet that has replaced the user's unfinished one, and the unfinished one. */
interface Aside {
  by: object;
  draft: object | null;
}

/** Loads the draft of an unfinished bet. The browser keeps the draft until its tab is closed. */
export function loadDraft<T extends object>(fallback: T): T {
  return inShapeOf(fallback, recall(BET_DRAFT)) ?? fallback;
}

/** Keeps the values of the form. Values that equal `empty` are no draft. */
export function saveDraft<T extends object>(values: T, empty?: T) {
  if (empty && contains(values, empty)) forget(BET_DRAFT);
  else keep(BET_DRAFT, values);
}

/**
 * Fills the form with a bet that the user has not written, such as a rematch. The user's own unfinished bet is set
 * aside. A bet that an earlier call has filled in, and that the user has not changed, is no unfinished bet.
 */
export function replaceDraft(by: object) {
  const before = recall(BET_DRAFT) as object | null;
  const last = recall(ASIDE) as Aside | null;
  const isOwn = before !== null && !(last && contains(before, last.by));
  keep(ASIDE, { by, draft: isOwn ? before : (last?.draft ?? null) });
  keep(BET_DRAFT, by);
}

/** The unfinished bet that is set aside. Null if there is none. */
export function draftAside<T extends object>(fallback: T): T | null {
  return inShapeOf(fallback, (recall(ASIDE) as Aside | null)?.draft);
}

/** Ends the work on the current draft. A bet that is set aside becomes the draft again. */
export function finishDraft() {
  const aside = recall(ASIDE) as Aside | null;
  clearDraft();
  if (aside?.draft) keep(BET_DRAFT, aside.draft);
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
