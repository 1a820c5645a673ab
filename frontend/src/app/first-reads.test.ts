import { expect, it } from 'vitest';
import { noteOwedPassword } from '../api/owed-password';
import { firstReads, readsOfThisPage } from './first-reads';

const ID = '01a2018fe3ab73c2b98f51bb96bded9c';

it.each([
  ['/', '', true, ['/api/config'], []],
  ['/no/such/page', '', true, ['/api/config'], []],
  ['/landing', '', false, [], []],
  ['/', '', false, ['/api/users/stats'], ['/api/bets/my?limit=100']],
  ['/marketplace', '', false, ['/api/bets/stats'], ['/api/bets/public?status=active']],
  ['/marketplace', '?q=a+b&status=all&x=1', false, ['/api/bets/stats'], ['/api/bets/public?q=a+b']],
  ['/achievements', '', false, ['/api/achievements'], []],
  ['/account', '', false, [], ['/api/withdrawals?limit=5', '/api/wallet/history']],
  ['/account', '', true, [], []],
  ['/bet/share-token', '', false, ['/api/bets/share-token'], []],
  ['/bet/a%2Fb', '', false, ['/api/bets/a%2Fb'], []],
  ['/bet/%', '', false, [], []],
  ['/bet/', '', false, [], []],
  ['/share/t', '', false, ['/api/bets/share/t'], []],
  ['/share/t', '', true, ['/api/bets/t'], []],
  ['/create-bet', '', false, [], []],
  ['/auth', '', true, [], []],
])('at %s%s, visitor %s, %j and the lists %j are read first', (pathname, search, visitor, answers, lists) => {
  expect(firstReads({ pathname, search }, visitor)).toEqual({ answers, lists });
});

it.each([
  ['', ''],
  ['?token=t&x=1', '?token=t'],
])('asks for the timeline of a bet once the bet is there, at %j', (search, query) => {
  expect(firstReads({ pathname: `/bet/${ID}`, search }, true)).toEqual({
    answers: [`/api/bets/${ID}${query}`],
    lists: [],
    details: [`/api/bets/${ID}/timeline${query}`],
  });
});

it('reads nothing ahead while a one-time password is to be changed', () => {
  window.history.replaceState(null, '', '/portfolio');
  expect(readsOfThisPage().answers).toEqual(['/api/users/stats']);
  noteOwedPassword(true);
  expect(readsOfThisPage()).toEqual({ answers: [], lists: [] });
  noteOwedPassword(false);
  expect(readsOfThisPage().answers).toEqual(['/api/users/stats']);
  window.history.replaceState(null, '', '/');
});
