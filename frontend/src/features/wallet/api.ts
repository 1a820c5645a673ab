import { get, type MoneyAnswer, postMoney, write } from '../../api/client';
import { isUnanswered } from '../../api/idempotency';
import { keys } from '../../api/keys';
import type { DepositInvoice, DepositState, TestInvoice, Withdrawal, WithdrawalQuote } from '../../api/types';
import type { Destination } from './destination';

const WITHDRAWALS = '/api/withdrawals';

export function createInvoice(amount: number): Promise<DepositInvoice> {
  return write('POST', '/api/deposit/create-invoice', { amount });
}

export function readDeposit(invoiceId: string): Promise<DepositState | null> {
  return get(keys.deposit(invoiceId));
}

export function addTestSats(amount: number): Promise<MoneyAnswer<unknown>> {
  return postMoney('/api/deposit/test-add', { amount });
}

export function quoteWithdrawal(destination: Destination): Promise<WithdrawalQuote> {
  return write('POST', '/api/withdrawals/quote', destination);
}

/** Creates an invoice with which a user can try a withdrawal. Only available in test mode. */
export function createTestInvoice(amount: number): Promise<TestInvoice> {
  return write('POST', '/api/withdrawals/test-invoice', { amount });
}

/**
 * Until there is a clear answer, requests with the same destination have the same idempotency key. So a repeat with a
 * password that was typed again does not create a second withdrawal.
 */
export function withdraw(destination: Destination, password: string): Promise<MoneyAnswer<Withdrawal>> {
  return postMoney(WITHDRAWALS, { ...destination, password }, destination);
}

/** Whether the server may have carried out an earlier order of this withdrawal. */
export function mayBeWithdrawn(destination: Destination): boolean {
  return isUnanswered(WITHDRAWALS, destination);
}
