import { parsePath } from 'react-router-dom';
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
  ['/bet/a/../b?q=//x', '/bet/b?q=//x'],
  ['/bet/a%2F%2Fb', '/bet/a%2F%2Fb'],
  ['/./auth', '/'],
])('takes %j as the way back to %j', (wanted, expected) => {
  expect(safePath(wanted)).toBe(expected);
});

// Texts that must not lead to another site. A check of the first characters alone would accept many of them.
it.each([
  '/.//evil.test',
  '/..//evil.test',
  '/a/..//evil.test',
  '/a/b/../..//evil.test',
  '/%2e//evil.test',
  '/%2E%2e//evil.test',
  '/a/%2e%2e//evil.test',
  '/.%2e//evil.test',
  '/././/evil.test',
  '/.///evil.test',
  '/./\\evil.test',
  '/.\\/evil.test',
  '/.\\\\evil.test',
  '/a\\..\\\\evil.test',
  '/\\/evil.test',
  '/.\t//evil.test',
  '/.\n/\r/evil.test',
  '/\n/evil.test',
  '/\u0000/evil.test',
  '/\u0001//evil.test',
  '/\u007f/.//evil.test',
  '\t//evil.test',
  ' //evil.test',
  '//evil.test',
  '///evil.test',
  '/.//user@evil.test',
  '/.//evil.test:443/x',
  '/.//[::1]/',
  'http:evil.test',
  'https:/evil.test',
  'javascript://%0aalert(1)',
  'data:text/html,x',
])('does not leave the site by %j', (wanted) => {
  const path = safePath(wanted);
  // The test resolves the path as a browser does, and then resolves the result again.
  for (const address of [path, new URL(path, window.location.origin).pathname]) {
    expect(new URL(address, window.location.origin).host).toBe(window.location.host);
  }
  expect(path).toBe('/');
});

const from = (path: string) => authPath({ pathname: '/', search: '', hash: '', ...parsePath(path) });

it.each(['/bet/a?token=b', '/account#security', '/account?deposit', '/landings', '/mailbox'])(
  'asks to come back to %s, where the sign-in was wanted',
  (path) => {
    expect(from(path)).toBe(`/auth?next=${encodeURIComponent(path)}`);
    expect(safePath(new URLSearchParams(from(path).slice('/auth?'.length)).get('next'))).toBe(path);
  },
);

it.each(['/', '/landing', '/?from=mail', '/mail/reset', '/mail/verify#token'])(
  'does not ask to come back to %s',
  (path) => {
    expect(from(path)).toBe('/auth');
  },
);
