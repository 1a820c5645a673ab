import { formatDateTime } from '../lib/dates';
import { timeLeft } from '../lib/time-left';
import { useTicking } from '../lib/useTicking';
import { timeTexts } from '../texts/common';

interface CountdownProps {
  at: string;
  /** The text for the time that is left. The time is empty once it is up. Without `words` the text is 'in 2 days'. */
  words?: (left: string) => string;
}

/** The time until an instant, which counts down while it is on screen. Its title is the instant. */
export function Countdown({ at, words = timeTexts.within }: CountdownProps) {
  const text = useTicking((now) => words(timeLeft(at, now)));
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {text}
    </time>
  );
}
