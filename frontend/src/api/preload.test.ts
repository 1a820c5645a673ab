import { HttpResponse, http } from 'msw';
import { afterEach, expect, it, vi } from 'vitest';
import { holdClock } from '../test/clock';
import { problem, server } from '../test/server';
import { get, getPage } from './client';
import { preloadAnswer, preloaded, preloadList } from './preload';

afterEach(() => vi.useRealTimers());

/** Answers the first call with 1, the second with 2, and so on. */
function counting() {
  let calls = 0;
  server.use(
    http.get('/api/x', () => {
      calls += 1;
      return HttpResponse.json([calls]);
    }),
  );
}

it('is read once', async () => {
  counting();
  await preloadAnswer('/api/x');
  expect(await preloaded('/api/x', get)).toEqual([1]);
  expect(await preloaded('/api/x', get)).toEqual([2]);
});

it('is read while it is still on its way', async () => {
  counting();
  preloadList('/api/x');
  expect(await preloaded('/api/x', getPage)).toEqual({ items: [1], next: null });
});

it('is not kept where it failed', async () => {
  server.use(http.get('/api/x', () => problem(403, 'password_change_required', 'x'), { once: true }));
  await preloadAnswer('/api/x');
  counting();
  expect(await preloaded('/api/x', get)).toEqual([1]);
});

it('is asked for once where it does not exist', async () => {
  let calls = 0;
  server.use(
    http.get('/api/x', () => {
      calls += 1;
      return problem(404, 'bet_not_found', 'x');
    }),
  );
  expect(await preloadAnswer('/api/x')).toBe(false);
  await expect(preloaded('/api/x', get)).rejects.toMatchObject({ status: 404 });
  expect(calls).toBe(1);
});

it('is not kept for a read that comes much later', async () => {
  holdClock();
  counting();
  await preloadAnswer('/api/x');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await preloaded('/api/x', get)).toEqual([2]);
});
