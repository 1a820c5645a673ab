import { amountOf } from '../../lib/amount';

/** The destination of a withdrawal, in the format that the server expects. */
export type Destination = { invoice: string } | { lightningAddress: string; amount: number };

/** Whether the text is a Lightning address, such as 'user@example.com'. An invoice never contains '@'. */
export function isAddress(text: string): boolean {
  return text.includes('@');
}

/** Removes spaces, line breaks and the scheme 'lightning:' from the pasted text. */
function tidied(text: string): string {
  return text.replace(/\s+/g, '').replace(/^lightning:(\/\/)?/i, '');
}

export function destinationOf(text: string, amount: string): Destination {
  const tidy = tidied(text);
  return isAddress(tidy) ? { lightningAddress: tidy, amount: amountOf(amount) } : { invoice: tidy };
}
