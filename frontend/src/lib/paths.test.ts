import { expect, it } from 'vitest';
import { authPath, safePath } from './paths';

it.each([
  ['/bet/abc?token=x', '/bet/abc?token=x'],
  ['/share/t#top', '/share/t#top'],
  [null, '/'],
  ['', '/'],
  ['https://evil.test/', '/'],
  ['//evil.test/', '/'],
  ['/\\evil.test', '/'],
  ['javascript:alert(1)', '/'],
  ['bet/abc', '/'],
  ['/auth?next=/auth', '/'],
  ['/\t/evil.test', '/'],
])('takes %j as the way back to %j', (wanted, expected) => {
  expect(safePath(wanted)).toBe(expected);
});

it('asks to come back to where the sign-in was wanted', () => {
  expect(authPath('/bet/a?token=b')).toBe('/auth?next=%2Fbet%2Fa%3Ftoken%3Db');
  expect(authPath('/')).toBe('/auth');
  expect(authPath('/landing')).toBe('/auth');
});
