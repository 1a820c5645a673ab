import { beforeEach, expect, it } from 'vitest';
import { clearDraft } from './clear-draft';
import { draftAside, finishDraft, loadDraft, replaceDraft, saveDraft } from './draft';

const EMPTY = { title: '', stake: '', isPrivate: false };
const OWN = { title: 'My own bet', stake: '5', isPrivate: true };
const REMATCH = { title: 'Once more?', stake: '20' };
const OTHER = { title: 'And this one?', stake: '30' };

beforeEach(() => sessionStorage.clear());

it('is kept and found again, and an empty form is no draft', () => {
  saveDraft(OWN, EMPTY);
  expect(loadDraft(EMPTY)).toEqual(OWN);
  saveDraft(EMPTY, EMPTY);
  expect(loadDraft(OWN)).toEqual(OWN);
});

it('keeps only what fits the form', () => {
  saveDraft({ title: 7, stake: '5', gone: 'x' });
  expect(loadDraft(EMPTY)).toEqual({ ...EMPTY, stake: '5' });
});

it('is set aside by a rematch, and comes back after it', () => {
  saveDraft(OWN, EMPTY);
  replaceDraft(REMATCH);
  expect(loadDraft(EMPTY)).toEqual({ ...EMPTY, ...REMATCH });
  expect(draftAside(EMPTY)).toEqual(OWN);
  finishDraft();
  expect(loadDraft(EMPTY)).toEqual(OWN);
  expect(draftAside(EMPTY)).toBeNull();
  finishDraft();
  expect(loadDraft(EMPTY)).toEqual(EMPTY);
});

it('stays aside while one rematch after the other is only looked at', () => {
  saveDraft(OWN, EMPTY);
  replaceDraft(REMATCH);
  saveDraft({ ...EMPTY, ...REMATCH }, EMPTY);
  replaceDraft(OTHER);
  expect(loadDraft(EMPTY)).toEqual({ ...EMPTY, ...OTHER });
  expect(draftAside(EMPTY)).toEqual(OWN);
});

it('is the changed rematch, once the user has changed it', () => {
  replaceDraft(REMATCH);
  expect(draftAside(EMPTY)).toBeNull();
  const changed = { ...EMPTY, ...REMATCH, stake: '21' };
  saveDraft(changed, EMPTY);
  replaceDraft(OTHER);
  expect(draftAside(EMPTY)).toEqual(changed);
});

it('is forgotten as a whole at the sign-out', () => {
  saveDraft(OWN, EMPTY);
  replaceDraft(REMATCH);
  clearDraft();
  expect(loadDraft(EMPTY)).toEqual(EMPTY);
  expect(draftAside(EMPTY)).toBeNull();
});
