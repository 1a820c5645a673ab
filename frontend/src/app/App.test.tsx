import { act, render, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { SWRConfig } from 'swr';
import { afterEach, expect, it, vi } from 'vitest';
import type { Key } from '../api/keys';
import { useApi } from '../api/useApi';
import { holdClock } from '../test/clock';
import { problem, server } from '../test/server';
import { swrDefaults } from './App';

afterEach(() => vi.useRealTimers());

const HOUR_MS = 3_600_000;

function Probe() {
  const { data, error } = useApi('/api/x' as Key<string>);
  return <p>{error ? 'failed' : (data ?? 'asking')}</p>;
}

it.each([
  ['what is read', () => HttpResponse.json('known'), 'known'],
  ['what failed', () => problem(503, 'unavailable', 'x'), 'failed'],
])('%s is not asked for again by itself, nor because somebody looks', async (_, answer, words) => {
  holdClock();
  let asked = 0;
  server.use(
    http.get('/api/x', () => {
      asked += 1;
      return answer();
    }),
  );
  render(
    <SWRConfig value={{ ...swrDefaults, provider: () => new Map() }}>
      <Probe />
    </SWRConfig>,
  );
  expect(await screen.findByText(words)).toBeVisible();
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  act(() => {
    window.dispatchEvent(new Event('focus'));
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  await waitFor(() => expect(asked).toBe(1));
  // When the network is back, the read is repeated.
  act(() => void window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(asked).toBe(2));
});
