import { amountOf } from '../../lib/amount';

/** Where sats go, as the server wants to be told. */
export type Destination = { invoice: string } | { lightningAddress: string; amount: number };

/** An address looks like an email address, and no invoice does. */
export function isAddress(text: string): boolean {
  return text.includes('@');
}

/** What was pasted, without the scheme and the line breaks that come along with it. */
export function tidied(text: string): string {
  return text.replace(/\s+/g, '').replace(/^lightning:(\/\/)?/i, '');
}

export function destinationOf(text: string, amount: string): Destination {
  const tidy = tidied(text);
  return isAddress(tidy) ? { lightningAddress: tidy, amount: amountOf(amount) } : { invoice: tidy };
}
