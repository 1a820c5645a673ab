import { Countdown } from '../../../ui/Countdown';
import type { TimedSentence } from '../live';

/** A sentence with its time as a countdown. */
export function Timed({ sentence: { before, at, after } }: { sentence: TimedSentence }) {
  return (
    <>
      {before} {at && <Countdown at={at} />}
      {after}
    </>
  );
}
