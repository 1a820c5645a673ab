import { afterEach, expect, it, vi } from 'vitest';
import { persistently } from './idle';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('waits for a network, and tries again where it does not carry yet', async () => {
  vi.useFakeTimers();
  const isOnline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const load = vi.fn().mockRejectedValueOnce(new Error('no network')).mockResolvedValue('code');
  const loaded = persistently(load);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(load).not.toHaveBeenCalled();
  isOnline.mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(load).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await loaded).toBe('code');
});

it('gives up on what does not come', async () => {
  vi.useFakeTimers();
  const load = vi.fn().mockRejectedValue(new Error('gone'));
  const outcome = expect(persistently(load)).rejects.toThrow('gone');
  await vi.advanceTimersByTimeAsync(60_000);
  await outcome;
  expect(load).toHaveBeenCalledTimes(4);
});
