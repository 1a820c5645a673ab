const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** In days. Longer times have no hours. */
const WEEK = 7;

/**
 * A countdown to an instant: '8 days', '6 days 23 h', '4 h 12 min' or '12 min', and in the last two minutes '90 s'. Empty
 * at the instant and after it.
 */
export function timeLeft(instant: string, now = Date.now()): string {
  const left = Math.ceil((new Date(instant).getTime() - now) / 1000);
  if (!(left > 0)) return '';
  if (left < 2 * MINUTE) return `${left} s`;
  const [days, hours] = [Math.floor(left / DAY), Math.floor((left % DAY) / HOUR)];
  const minutes = Math.floor((left % HOUR) / MINUTE);
  const parts = [
    days && (days === 1 ? '1 day' : `${days} days`),
    days < WEEK && hours && `${hours} h`,
    !days && minutes && `${minutes} min`,
  ];
  return parts.filter(Boolean).join(' ');
}
