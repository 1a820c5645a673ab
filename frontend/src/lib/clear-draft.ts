import { forget } from './tab-storage';

/** The name of the form's values in the storage of the tab, and of an unfinished bet that is set aside (`draft.ts`). */
export const BET_DRAFT = 'bolts.bet-draft';
export const ASIDE = 'bolts.bet-draft-aside';

/** Forgets all that the user has written. The navigation needs only this, so the rest loads with the form. */
export function clearDraft() {
  forget(BET_DRAFT);
  forget(ASIDE);
}
