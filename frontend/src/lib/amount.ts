/** A number in groups of three digits. All separators are the same: commas, as the pages write amounts, or spaces. */
const GROUPED = /^\d{1,3}([,\s])\d{3}(?:\1\d{3})*$/;

/**
 * The whole number in a typed amount: '1000', '1,000' or '1 000'. NaN for everything else. '1.000' is refused, because
 * it means 1000 in some countries and 1 in others.
 */
export function amountOf(typed: string): number {
  const text = typed.trim();
  return /^\d+$/.test(text) || GROUPED.test(text) ? Number(text.replace(/\D/g, '')) : Number.NaN;
}
