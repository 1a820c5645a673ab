import { expect, it } from 'vitest';
import {
  formatMoney,
  formatNumber,
  formatSigned,
  formatUsd,
  formatVolume,
  satsToBtc,
  satsToUsd,
} from './money';

it('groups figures', () => {
  expect(formatNumber(123456789)).toBe('123,456,789');
  expect(formatMoney(1000, 'bolts')).toBe('1,000 Bolts');
  expect(formatMoney(1, 'bolts')).toBe('1 Bolt');
  expect(formatMoney(100, 'sats')).toBe('100 Sats');
});

it('gives gains and losses their sign, and nothing none', () => {
  expect(formatSigned(200)).toBe('+200');
  expect(formatSigned(-1500)).toBe('−1,500');
  expect(formatSigned(0)).toBe('0');
});

it('shows volumes in rounded thousands, and smaller ones as they are', () => {
  expect(formatVolume(0)).toBe('0');
  expect(formatVolume(999)).toBe('999');
  expect(formatVolume(1000)).toBe('1K');
  expect(formatVolume(1500)).toBe('2K');
  expect(formatVolume(1234567)).toBe('1,235K');
});

it('estimates the worth of sats at the fixed rate', () => {
  expect(satsToBtc(1)).toBe('0.00000001');
  expect(satsToBtc(123_456_789)).toBe('1.23456789');
  expect(formatUsd(satsToUsd(100_000_000))).toBe('$95,000.00');
  expect(formatUsd(satsToUsd(50))).toBe('$0.05');
});
