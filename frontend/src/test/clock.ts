import { onTestFinished, vi } from 'vitest';

const TICK_MS = 20;

/**
 * Installs a clock that the test moves. By itself the clock runs at a tenth of the real speed, so that timers still
 * fire. Delays of a busy machine hardly count: between two checks, hardly any time passes except the time that the test
 * adds.
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
