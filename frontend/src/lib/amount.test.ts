import { expect, it } from 'vitest';
import { amountOf } from './amount';

it.each([
  ['1000', 1000],
  [' 1000 ', 1000],
  ['1,000', 1000],
  ['1 000', 1000],
  ['1\u00a0000', 1000],
  ['1\u202f000', 1000],
  ['12,345,678', 12_345_678],
  ['100,000,000', 100_000_000],
  ['0', 0],
  ['999', 999],
])('reads %j as %i', (typed, amount) => {
  expect(amountOf(typed)).toBe(amount);
});

it.each([
  '',
  '   ',
  '1.000',
  '1.5',
  '1,00',
  '10,00',
  '1,0000',
  '1000,000',
  ',100',
  '1,',
  '1,000 000',
  '1  000',
  '-5',
  '+5',
  '1e3',
  '0x10',
  'many',
  '١٠٠',
])('reads no amount in %j', (typed) => {
  expect(amountOf(typed)).toBeNaN();
});
