import { act } from '@testing-library/react';
import { onTestFinished, vi } from 'vitest';

const TICK_MS = 20;

/** A simulated answer needs fewer turns of the event loop than this until the page has drawn it. */
const TURNS = 50;
const realSetTimeout = globalThis.setTimeout;

/**
 * Waits until the page has processed the simulated answers to all requests it has sent, without moving the clock. The
 * answers come in the same thread, so it counts turns of the event loop: a busy machine makes the turns slower, not more.
 */
export async function answersProcessed() {
  for (let turn = 0; turn < TURNS; turn += 1) {
    await act(() => new Promise<void>((resolve) => void realSetTimeout(resolve, 0)));
  }
}

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
