import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { holdClock } from '../test/clock';
import { makeBet, makeWithdrawal, user } from '../test/fixtures';
import { renderApp } from '../test/render';
import { server } from '../test/server';
import { keys } from './keys';
import { useApi } from './useApi';
import { useLiveUpdates } from './useLiveUpdates';
import { usePagedApi } from './usePagedApi';

class FakeStream extends EventTarget {
  static readonly CLOSED = 2;
  static all: FakeStream[] = [];
  readyState = 1;
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
    FakeStream.all.push(this);
  }
  close() {
    this.readyState = FakeStream.CLOSED;
  }
  /** Begins the stream as the server does. By default, the last hint is older than the page. */
  greet(agoMs = 3_600_000) {
    this.tell('open');
    this.tell('last-hint', JSON.stringify({ agoMs }));
  }
  tell(type: string, data = '{}') {
    act(() => void this.dispatchEvent(new MessageEvent(type, { data })));
  }
}

const asked: Record<string, number> = {};
const count = (path: string, body: object) =>
  server.use(
    http.get(path, () => {
      asked[path] = (asked[path] ?? 0) + 1;
      return HttpResponse.json(body);
    }),
  );

beforeEach(() => {
  FakeStream.all = [];
  for (const path of Object.keys(asked)) delete asked[path];
  vi.stubGlobal('EventSource', FakeStream);
  count('/api/auth/user', user);
  count('/api/notifications', []);
  count('/api/bets/tok', makeBet({ id: 'bet-1' }));
  count('/api/bets/bet-2', makeBet({ id: 'bet-2' }));
  count('/api/withdrawals/w-1', makeWithdrawal());
  count('/api/bets/my', []);
  count('/api/bets/arbitrated', []);
  count('/api/bets/turn-count', { turnCount: 0 });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function Page() {
  useLiveUpdates();
  useApi(keys.user, { dedupingInterval: 120_000 });
  useApi(keys.notifications);
  useApi(keys.turnCount);
  useApi(keys.bet('tok', null));
  useApi(keys.bet('bet-2', null));
  useApi(keys.withdrawal('w-1'));
  usePagedApi(keys.arbitrated);
  const { items } = usePagedApi(keys.myBets);
  return items ? <p>ready</p> : null;
}

async function opened() {
  const view = renderApp(<Page />);
  await screen.findByText('ready');
  await waitFor(() => expect(Object.keys(asked)).toHaveLength(8));
  const [stream] = FakeStream.all;
  if (!stream) throw new Error('no stream');
  stream.greet();
  return { view, stream };
}
const times = (path: string, expected: number) => waitFor(() => expect(asked[path]).toBe(expected));

it('reads again what each hint is about, and nothing else', async () => {
  const { stream } = await opened();
  expect(stream.url).toBe('/api/events');
  stream.tell('notification');
  await times('/api/notifications', 2);
  stream.tell('balance');
  await times('/api/auth/user', 2);
  await times('/api/withdrawals/w-1', 2);
  stream.tell('bet', '{"betId":"bet-1"}');
  await times('/api/bets/tok', 2);
  await times('/api/bets/my', 2);
  await times('/api/bets/arbitrated', 2);
  await times('/api/bets/turn-count', 2);
  expect(asked['/api/auth/user']).toBe(2);
  expect(asked['/api/bets/bet-2']).toBe(1);
  expect(asked['/api/notifications']).toBe(2);
  expect(asked['/api/withdrawals/w-1']).toBe(2);
});

it('reads again the disputes and turns of an admin, who gets no other hint about a dispute', async () => {
  count('/api/auth/user', { ...user, isAdmin: true });
  count('/api/admin/disputes', []);
  function Panel() {
    usePagedApi(keys.disputes);
    return useApi(keys.user).data ? <Page /> : null;
  }
  renderApp(<Panel />);
  await screen.findByText('ready');
  await times('/api/admin/disputes', 1);
  await times('/api/bets/turn-count', 1);
  FakeStream.all[0]?.tell('notification');
  await times('/api/admin/disputes', 2);
  await times('/api/bets/turn-count', 2);
});

it('reads everything again if a hint was sent before the first stream was open', async () => {
  const { stream } = await opened();
  const age = vi.spyOn(performance, 'now').mockReturnValue(9_999);
  stream.greet(10_000);
  stream.tell('last-hint', 'nonsense');
  for (const path of Object.keys(asked)) expect(asked[path], path).toBe(1);
  age.mockReturnValue(10_001);
  stream.greet(10_000);
  for (const path of Object.keys(asked)) await times(path, 2);
});

it('reads everything again after the stream was away', async () => {
  const { stream } = await opened();
  stream.readyState = 0;
  stream.tell('error');
  expect(FakeStream.all).toHaveLength(1);
  stream.greet();
  for (const path of Object.keys(asked)) await times(path, 2);
});

it('looks whether the session is over when a stream is refused, and tries again later', async () => {
  holdClock();
  const { stream } = await opened();
  stream.readyState = FakeStream.CLOSED;
  stream.tell('error');
  await times('/api/auth/user', 2);
  expect(FakeStream.all).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2100);
  await waitFor(() => expect(FakeStream.all).toHaveLength(2));
});

it('closes the stream while nobody looks, and catches up afterwards', async () => {
  const { stream } = await opened();
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await waitFor(() => expect(stream.readyState).toBe(FakeStream.CLOSED));
  hidden.mockReturnValue(false);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  FakeStream.all[1]?.greet();
  await times('/api/notifications', 2);
});

it('closes the stream with the session', async () => {
  const { view, stream } = await opened();
  view.unmount();
  expect(stream.readyState).toBe(FakeStream.CLOSED);
});

it('ignores a hint that it does not understand', async () => {
  const { stream } = await opened();
  stream.tell('bet', 'nonsense');
  await times('/api/bets/my', 2);
  expect(asked['/api/bets/tok']).toBe(1);
});
