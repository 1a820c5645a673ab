import { afterEach, expect, it } from 'vitest';
import { noteOwedPassword } from '../api/owed-password';
import { firstReads } from './first-reads';

const ID = '01a2018fe3ab73c2b98f51bb96bded9c';
const NOTHING = { answers: [], lists: [] };
const at = (pathname: string, search = '') => ({ pathname, search });

afterEach(() => {
  noteOwedPassword(false);
  delete document.documentElement.dataset.visitor;
});

it('are those that the build has written', () => {
  const page = { page: 'account', answers: '/api/a', lists: '/api/b?limit=5 /api/c' };
  const written = { answers: ['/api/a'], lists: ['/api/b?limit=5', '/api/c'] };
  expect(firstReads(page, at('/account'))).toEqual(written);
  expect(firstReads({ page: 'landing', answers: '', lists: '' }, at('/'))).toEqual(NOTHING);
  expect(firstReads({}, at('/'))).toEqual(NOTHING);
});

it.each([
  ['', '/api/bets/public?status=active'],
  ['?q=a+b&status=all&x=1', '/api/bets/public?q=a+b'],
])('follow the filters of the marketplace at %j', (search, list) => {
  const page = { page: 'market', answers: '/api/bets/stats', lists: '' };
  expect(firstReads(page, at('/marketplace', search))).toEqual({
    answers: ['/api/bets/stats'],
    lists: [list],
  });
});

it.each([
  ['/bet/share-token', ['/api/bets/share-token']],
  ['/bet/a%2Fb', ['/api/bets/a%2Fb']],
  ['/bet/%', []],
  ['/bet/', []],
])('follow the name of the bet at %s', (path, answers) => {
  expect(firstReads({ page: 'bet' }, at(path))).toEqual({ answers, lists: [] });
});

it.each([
  ['', ''],
  ['?token=t&x=1', '?token=t'],
])('add the timeline of a bet once the bet is there, at %j', (search, query) => {
  expect(firstReads({ page: 'bet' }, at(`/bet/${ID}`, search))).toEqual({
    answers: [`/api/bets/${ID}${query}`],
    lists: [],
    details: [`/api/bets/${ID}/timeline${query}`],
  });
});

it('are those of a session at a share link, and the terms for a visitor', () => {
  const page = { page: 'share' };
  expect(firstReads(page, at('/share/t')).answers).toEqual(['/api/bets/share/t']);
  document.documentElement.dataset.visitor = '';
  expect(firstReads(page, at('/share/t')).answers).toEqual(['/api/bets/t']);
});

it('are none while a one-time password is to be changed', () => {
  noteOwedPassword(true);
  expect(firstReads({ page: 'portfolio', answers: '/api/a', lists: '/api/b' }, at('/'))).toEqual(NOTHING);
  expect(firstReads({ page: 'bet' }, at(`/bet/${ID}`))).toEqual(NOTHING);
});
