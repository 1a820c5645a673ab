import { onTestFinished, vi } from 'vitest';

const TICK_MS = 20;

/**
 * A clock that the test moves. By itself it only creeps, at a tenth of the real pace, so that what waits for a timer goes
 * on, and yet the time that a busy machine loses does not count: between two looks of a test only what the test adds passes.
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
