import { formatDateTime, fromNow, timeLeft } from '../lib/dates';
import { useTicking } from '../lib/useTicking';

interface CountdownProps {
  at: string;
  /** The text for the time that is left. The time is empty once it is up. Without `words` the text is 'in 2 days'. */
  words?: (left: string) => string;
}

/** The time until an instant, which counts down while it is on screen. Its title is the instant. */
export function Countdown({ at, words }: CountdownProps) {
  const text = useTicking((now) => (words ? words(timeLeft(at, now)) : fromNow(at, now)));
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {text}
    </time>
  );
}
