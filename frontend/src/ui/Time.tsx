import { formatDate, formatDateTime, formatShortTime, fromNow } from '../lib/dates';
import { formatNewYork } from '../lib/new-york';

interface TimeProps {
  at: string;
  style?: 'date' | 'short' | 'full' | 'relative' | 'newYork';
}

const FORMATS = {
  date: formatDate,
  short: formatShortTime,
  full: formatDateTime,
  relative: fromNow,
  newYork: formatNewYork,
};

export function Time({ at, style = 'full' }: TimeProps) {
  const title = style === 'relative' || style === 'newYork' ? formatDateTime(at) : undefined;
  return (
    <time dateTime={at} title={title}>
      {FORMATS[style](at)}
    </time>
  );
}
