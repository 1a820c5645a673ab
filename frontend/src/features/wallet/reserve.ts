const LEAST_FEE_LIMIT = 10;

/**
 * The fee limit that the server holds in addition to an amount: 1 % rounded up, at least 10 sats. If the server's
 * quote differs, the quote is right.
 */
export function feeLimit(amount: number): number {
  return Math.max(Math.ceil(amount / 100), LEAST_FEE_LIMIT);
}

/** The largest amount that a user with this balance can withdraw. The balance must also cover the fee limit. */
export function mostWithdrawable(balance: number): number {
  const most = balance - Math.max(Math.ceil(balance / 101), LEAST_FEE_LIMIT);
  return Math.max(most, 0);
}
