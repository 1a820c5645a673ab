import { formatDate, formatDateTime, formatShortTime, fromNow } from '../lib/dates';
import { formatBoth } from '../lib/new-york';

interface TimeProps {
  at: string;
  /** `newYork` is for an expiry: it shows both the user's time and New York's time. */
  style?: 'date' | 'short' | 'full' | 'relative' | 'newYork';
}

const FORMATS = {
  date: formatDate,
  short: formatShortTime,
  full: formatDateTime,
  relative: fromNow,
  newYork: formatBoth,
};

export function Time({ at, style = 'full' }: TimeProps) {
  const title = style === 'relative' ? formatDateTime(at) : undefined;
  return (
    <time dateTime={at} title={title}>
      {FORMATS[style](at)}
    </time>
  );
}
