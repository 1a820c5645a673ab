import { amountOf } from '../../lib/amount';

/** A destination in the form that the server expects. */
export type Destination = { invoice: string } | { lightningAddress: string; amount: number };

/** A Lightning address looks like an e-mail address. An invoice never does. */
export function isAddress(text: string): boolean {
  return text.includes('@');
}

/** The pasted text without scheme and line breaks. */
function tidied(text: string): string {
  return text.replace(/\s+/g, '').replace(/^lightning:(\/\/)?/i, '');
}

export function destinationOf(text: string, amount: string): Destination {
  const tidy = tidied(text);
  return isAddress(tidy) ? { lightningAddress: tidy, amount: amountOf(amount) } : { invoice: tidy };
}
