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

/**
 * Moves a held clock on, second by second, until `check` passes. Use it where a timer starts only once an answer is
 * processed: the time of one step would be over before a busy machine has processed the answer.
 */
export async function passTimeUntil(check: () => void, limitMs = 120_000) {
  await vi.waitFor(
    () => {
      vi.advanceTimersByTime(1_000);
      check();
    },
    { interval: 10, timeout: limitMs },
  );
}
