import { act, render, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { SWRConfig } from 'swr';
import { afterEach, expect, it, vi } from 'vitest';
import { holdClock } from '../test/clock';
import { server } from '../test/server';
import type { Key } from './keys';
import { useApi } from './useApi';
import { useCatchUp } from './useCatchUp';

afterEach(() => vi.useRealTimers());

function Page() {
  useCatchUp();
  const { data } = useApi('/api/x' as Key<string>);
  return <p>{data ?? 'asking'}</p>;
}

it('reads again once online what was read just before the network went', async () => {
  holdClock();
  let version = 'the old';
  server.use(http.get('/api/x', () => HttpResponse.json(version)));
  render(
    <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 3_600_000 }}>
      <Page />
    </SWRConfig>,
  );
  expect(await screen.findByText('the old')).toBeVisible();
  version = 'the new';
  act(() => void window.dispatchEvent(new Event('online')));
  await act(() => vi.advanceTimersByTimeAsync(900));
  await waitFor(() => expect(screen.getByText('the old')).toBeVisible());
  await vi.advanceTimersByTimeAsync(200);
  expect(await screen.findByText('the new')).toBeVisible();
});
