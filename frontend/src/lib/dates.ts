import dayjs from 'dayjs';
import relativeTime from 'dayjs/plugin/relativeTime';

dayjs.extend(relativeTime);

export function formatDate(instant: string): string {
  return dayjs(instant).format('MMM D, YYYY');
}

/** The notification's 'MMM d, h:mm a', which is how Unicode writes such a format; dayjs has other letters for it. */
export function formatShortTime(instant: string): string {
  return dayjs(instant).format('MMM D, h:mm A');
}

export function formatDateTime(instant: string): string {
  return dayjs(instant).format('MMM D, YYYY, h:mm A');
}

export function fromNow(instant: string): string {
  return dayjs(instant).fromNow();
}
