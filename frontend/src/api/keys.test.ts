import { expect, expectTypeOf, it } from 'vitest';
import { type Key, keys } from './keys';
import type { Bet, User } from './types';

it('have a sorted query without empty values', () => {
  expect(keys.publicBets({ sort: 'oldest', q: 'a b', category: null, status: '' })).toBe(
    '/api/bets/public?q=a+b&sort=oldest',
  );
});

it('have encoded names in their path', () => {
  expect(keys.bet('a/b', 't')).toBe('/api/bets/a%2Fb?token=t');
  expect(keys.timeline('$& {key}', null)).toBe('/api/bets/%24%26%20%7Bkey%7D/timeline');
});

it('know the type of their answer', () => {
  expectTypeOf(keys.bet('1', null)).toEqualTypeOf<Key<Bet>>();
  expectTypeOf(keys.user).toEqualTypeOf<Key<User>>();
  expectTypeOf(keys.myBets).toEqualTypeOf<Key<Bet[]>>();
  expectTypeOf<string>().not.toExtend<Key<unknown>>();
});
