import { useEffect, useRef, useState } from 'react';
import { formatDateTime, fromNow, timeLeft } from '../lib/dates';

const TICK_MS = 1000;

interface CountdownProps {
  at: string;
  /** The text for the time that is left. The time is empty once it is up. Without `words` the text is 'in 2 days'. */
  words?: (left: string) => string;
}

/** The time until an instant, which counts down while it is on screen. Its title is the instant. */
export function Countdown({ at, words }: CountdownProps) {
  const text = () => (words ? words(timeLeft(at)) : fromNow(at));
  const latest = useRef(text);
  latest.current = text;
  const [, show] = useState('');
  useEffect(() => {
    // React renders the component again only if the text has changed.
    const timer = setInterval(() => show(latest.current()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {text()}
    </time>
  );
}
