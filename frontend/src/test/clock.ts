import { onTestFinished, vi } from 'vitest';

const TICK_MS = 20;

/**
 * A clock that the test moves. By itself it runs at a tenth of the real speed, so that timers still fire. The time
 * that a busy machine loses hardly counts, so between two checks almost only the time that the test adds passes.
 */
export function holdClock() {
  const real = { setInterval, clearInterval };
  vi.useFakeTimers();
  const creeping = real.setInterval(() => {
    if (vi.isFakeTimers()) vi.advanceTimersByTime(TICK_MS / 10);
  }, TICK_MS);
  onTestFinished(() => {
    real.clearInterval(creeping);
    vi.useRealTimers();
  });
}
