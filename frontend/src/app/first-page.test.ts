import { expect, it } from 'vitest';
import { firstPageOf } from './first-page';

it.each([
  ['/', false, 'portfolio'],
  ['/dashboard', false, 'portfolio'],
  ['/no/such/page', false, 'portfolio'],
  ['/bet/01a1?token=x', false, 'bet'],
  ['/create', false, 'create'],
  ['/admin', false, 'admin'],
  ['/', true, 'landing'],
  ['/marketplace', true, 'landing'],
  ['/no/such/page', true, 'landing'],
  ['/auth', true, 'auth'],
  ['/bet/01a1', true, 'bet'],
  ['/share/t', true, 'share'],
  ['/account', true, 'account'],
  ['/constructor', false, 'portfolio'],
])('at %s, visitor %s, the code of the %s page is fetched', (path, visitor, page) => {
  expect(firstPageOf(path, visitor)).toBe(page);
});
