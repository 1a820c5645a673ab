import { expect, it } from 'vitest';
import { feeLimit, mostWithdrawable } from './reserve';

// The cases are the same as in crates/wallet/tests/it/amounts.rs.
it.each([
  [100, 10],
  [999, 10],
  [1_000, 10],
  [1_001, 11],
  [5_000, 50],
  [50_050, 501],
])('holds beside %i sats %i for the route', (amount, limit) => {
  expect(feeLimit(amount)).toBe(limit);
});

it.each([0, 5, 10, 110, 111, 1_009, 1_010, 1_011, 1_012, 5_000, 5_050, 123_456_789])(
  'of %i sats can withdraw the most that leaves the reserve',
  (balance) => {
    const most = mostWithdrawable(balance);
    expect(most === 0 || most + feeLimit(most) <= balance).toBe(true);
    expect(most + 1 + feeLimit(most + 1)).toBeGreaterThan(balance);
  },
);
