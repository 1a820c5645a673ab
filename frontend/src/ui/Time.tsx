import { formatDate, formatDateTime, formatShortTime } from '../lib/dates';
import { formatBoth, formatBothShort } from '../lib/new-york';

interface TimeProps {
  at: string;
  /** `newYork` is for an expiry: it shows both the user's time and New York's time. `newYorkShort` fits in a card. */
  style?: 'date' | 'short' | 'full' | 'newYork' | 'newYorkShort';
}

const FORMATS = {
  date: formatDate,
  short: formatShortTime,
  full: formatDateTime,
  newYork: formatBoth,
  newYorkShort: formatBothShort,
};

export function Time({ at, style = 'full' }: TimeProps) {
  // 'AM' and 'PM' stay on the line of their hour.
  return <time dateTime={at}>{FORMATS[style](at).replace(/ (?=[AP]M)/g, '\u00a0')}</time>;
}
