import { expect, it } from 'vitest';
import { firstReads } from './first-reads';

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
  [`/bet/${ID}`, '', true, [`/api/bets/${ID}`, `/api/bets/${ID}/timeline`], []],
  [`/bet/${ID}`, '?token=t&x=1', false, [`/api/bets/${ID}?token=t`, `/api/bets/${ID}/timeline?token=t`], []],
  ['/bet/share-token', '', false, ['/api/bets/share-token'], []],
  ['/bet/a%2Fb', '', false, ['/api/bets/a%2Fb'], []],
  ['/bet/%', '', false, [], []],
  ['/bet/', '', false, [], []],
  ['/share/t', '', false, ['/api/bets/share/t'], []],
  ['/share/t', '', true, [], []],
  ['/create-bet', '', false, [], []],
  ['/auth', '', true, [], []],
])('at %s%s, visitor %s, %j and the lists %j are read first', (pathname, search, visitor, answers, lists) => {
  expect(firstReads({ pathname, search }, visitor)).toEqual({ answers, lists });
});
