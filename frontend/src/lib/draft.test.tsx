import { beforeEach, expect, it } from 'vitest';
import { draftAside, finishDraft, loadDraft, replaceDraft, saveDraft } from './draft';
import { forgetAll } from './tab-storage';

const EMPTY = { title: '', stake: '', isPrivate: false };
const OWN = { title: 'My own bet', stake: '5', isPrivate: true };
const REMATCH = { title: 'Once more?', stake: '20' };
const OTHER = { title: 'And this one?', stake: '30' };

const ME = 'u-me';

beforeEach(() => sessionStorage.clear());

it('is kept and found again, and an empty form is no draft', () => {
  saveDraft(ME, OWN, EMPTY);
  expect(loadDraft(ME, EMPTY)).toEqual(OWN);
  saveDraft(ME, EMPTY, EMPTY);
  expect(loadDraft(ME, OWN)).toEqual(OWN);
});

it('keeps only what fits the form', () => {
  saveDraft(ME, { title: 7, stake: '5', gone: 'x' });
  expect(loadDraft(ME, EMPTY)).toEqual({ ...EMPTY, stake: '5' });
});

it('is set aside by a rematch, and comes back after it', () => {
  saveDraft(ME, OWN, EMPTY);
  replaceDraft(ME, REMATCH);
  expect(loadDraft(ME, EMPTY)).toEqual({ ...EMPTY, ...REMATCH });
  expect(draftAside(ME, EMPTY)).toEqual(OWN);
  finishDraft(ME);
  expect(loadDraft(ME, EMPTY)).toEqual(OWN);
  expect(draftAside(ME, EMPTY)).toBeNull();
  finishDraft(ME);
  expect(loadDraft(ME, EMPTY)).toEqual(EMPTY);
});

it('stays aside while one rematch after the other is only looked at', () => {
  saveDraft(ME, OWN, EMPTY);
  replaceDraft(ME, REMATCH);
  saveDraft(ME, { ...EMPTY, ...REMATCH }, EMPTY);
  replaceDraft(ME, OTHER);
  expect(loadDraft(ME, EMPTY)).toEqual({ ...EMPTY, ...OTHER });
  expect(draftAside(ME, EMPTY)).toEqual(OWN);
});

it('is the changed rematch, once the user has changed it', () => {
  replaceDraft(ME, REMATCH);
  expect(draftAside(ME, EMPTY)).toBeNull();
  const changed = { ...EMPTY, ...REMATCH, stake: '21' };
  saveDraft(ME, changed, EMPTY);
  replaceDraft(ME, OTHER);
  expect(draftAside(ME, EMPTY)).toEqual(changed);
});

it('belongs to one user, and is forgotten as a whole at the sign-out', () => {
  saveDraft(ME, OWN, EMPTY);
  replaceDraft(ME, REMATCH);
  expect(loadDraft('u-bob', EMPTY)).toEqual(EMPTY);
  expect(draftAside('u-bob', EMPTY)).toBeNull();
  forgetAll();
  expect(loadDraft(ME, EMPTY)).toEqual(EMPTY);
  expect(draftAside(ME, EMPTY)).toBeNull();
});
