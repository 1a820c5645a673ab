import { get, postMoney, write } from '../../api/client';
import { keys } from '../../api/keys';
import type { DepositInvoice, DepositState, TestInvoice, Withdrawal, WithdrawalQuote } from '../../api/types';
import type { Destination } from './destination';

export function createInvoice(amount: number): Promise<DepositInvoice> {
  return write('POST', '/api/deposit/create-invoice', { amount });
}

export function readDeposit(invoiceId: string): Promise<DepositState | null> {
  return get(keys.deposit(invoiceId));
}

export function addTestSats(amount: number): Promise<unknown> {
  return postMoney('/api/deposit/test-add', { amount });
}

export function quoteWithdrawal(destination: Destination): Promise<WithdrawalQuote> {
  return write('POST', '/api/withdrawals/quote', destination);
}

/** Creates an invoice for trying a withdrawal. Only in test mode. */
export function createTestInvoice(amount: number): Promise<TestInvoice> {
  return write('POST', '/api/withdrawals/test-invoice', { amount });
}

/**
 * Requests with the same destination count as one order until there is an answer, even if the password is typed
 * again.
 */
export function withdraw(destination: Destination, password: string): Promise<Withdrawal> {
  return postMoney('/api/withdrawals', { ...destination, password }, destination);
}
