import { useEffect, useState } from 'react';

const TICK_MS = 1000;

/** The number of seconds until `until`, rounded up and updated every second. 0 after that time. */
export function useTimeLeft(until: string): number {
  const [now, setNow] = useState(Date.now);
  const left = Math.max(0, Math.ceil((new Date(until).getTime() - now) / 1000));
  const over = left === 0;
  useEffect(() => {
    if (over) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [over]);
  return left;
}

/** Formats seconds as minutes and seconds, such as '59:07'. From one hour on with hours, such as '1:00:00'. */
export function formatTimeLeft(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const rest = `${hours > 0 ? two(minutes) : minutes}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}
