import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { onGet, onWrite, problem, server } from '../test/server';
import { messageOf, open, renew, show } from './push';

const PATH = '/api/notifications/push-subscriptions';
const sent = {
  title: 'Bet Accepted',
  body: 'bob takes your bet.',
  url: '/bet/1',
  tag: 'n-1',
  timestamp: 1_790_000_000_000,
  unread: 3,
};
const data = (value: unknown) => ({ json: () => value });
const garbled = {
  json: () => {
    throw new SyntaxError('no JSON');
  },
};

describe('a message', () => {
  it('is read', () => {
    expect(messageOf(data(sent))).toEqual(sent);
  });

  it.each([
    ['no data', null],
    ['no JSON', garbled],
    ['null', data(null)],
    ['a number', data(7)],
    ['another form', data({ title: 7, body: 'x', url: 7, unread: 'many' })],
  ])('that cannot be read still says something: %s', (_, unreadable) => {
    const message = messageOf(unreadable);
    expect(message).toMatchObject({ title: 'News on Bolts', url: '/', tag: '', unread: null });
    expect(message.body).toBe('Something has happened on the site. Open it to see what.');
    expect(Math.abs(message.timestamp - Date.now())).toBeLessThan(60_000);
  });

  it.each(['https://evil.test/', '//evil.test', '/\\evil.test', 'javascript:alert(1)', '/.//evil.test'])(
    'opens no other site: %s',
    (url) => {
      expect(messageOf(data({ ...sent, url })).url).toBe('/');
    },
  );
});

describe('a notification', () => {
  const registration = () => ({
    showNotification: vi.fn(async () => {}),
    pushManager: { subscribe: vi.fn() },
  });

  it('has the message, an icon, and the number of unread ones on the icon of the app', async () => {
    const on = registration();
    const setAppBadge = vi.fn(async () => {});
    await show(messageOf(data(sent)), on, { setAppBadge });
    expect(on.showNotification).toHaveBeenCalledWith('Bet Accepted', {
      body: 'bob takes your bet.',
      tag: 'n-1',
      timestamp: sent.timestamp,
      icon: expect.stringContaining('app-192'),
      badge: expect.stringContaining('badge-96'),
      data: { url: '/bet/1' },
    });
    expect(setAppBadge).toHaveBeenCalledWith(3);
  });

  it('shows where there are no numbers on icons', async () => {
    const on = registration();
    await show(messageOf(data(sent)), on, {});
    expect(on.showNotification).toHaveBeenCalledTimes(1);
  });

  it('changes no number that the message does not have', async () => {
    const setAppBadge = vi.fn(async () => {});
    await show(messageOf(null), registration(), { setAppBadge });
    expect(setAppBadge).not.toHaveBeenCalled();
  });
});

describe('a click', () => {
  const clientsWith = (
    ...tabs: { focus: () => Promise<void>; navigate: (url: string) => Promise<void> }[]
  ) => ({
    claim: vi.fn(),
    matchAll: vi.fn(async () => tabs),
    openWindow: vi.fn(async () => {}),
  });
  const tab = () => ({ focus: vi.fn(async () => {}), navigate: vi.fn(async (_: string) => {}) });

  it('opens the page in the tab that was used last', async () => {
    const [last, other] = [tab(), tab()];
    const clients = clientsWith(last, other);
    await open({ url: '/bet/1' }, clients);
    expect(last.focus).toHaveBeenCalledTimes(1);
    expect(last.navigate).toHaveBeenCalledWith('/bet/1');
    expect(other.focus).not.toHaveBeenCalled();
    expect(clients.openWindow).not.toHaveBeenCalled();
  });

  it('opens a window if no tab shows the site', async () => {
    const clients = clientsWith();
    await open({ url: '/bet/1?token=x' }, clients);
    expect(clients.openWindow).toHaveBeenCalledWith('/bet/1?token=x');
  });

  it.each([[{ url: 'https://evil.test/' }], [{ url: '//evil.test' }], [{}], [null]])(
    'opens no other site: %j',
    async (wanted) => {
      const clients = clientsWith();
      await open(wanted, clients);
      expect(clients.openWindow).toHaveBeenCalledWith('/');
    },
  );
});

describe('a subscription that has ended', () => {
  const renewed = {
    endpoint: 'https://push.test/new',
    toJSON: () => ({ endpoint: 'https://push.test/new', keys: { p256dh: 'p', auth: 'a' } }),
  };
  const registration = () => ({
    showNotification: vi.fn(),
    pushManager: { subscribe: vi.fn(async () => renewed as unknown as PushSubscription) },
  });
  const ok = () => HttpResponse.json({ ok: true });

  it('is replaced, and the server forgets it', async () => {
    onGet(PATH, { publicKey: 'server-key', subscriptions: [] });
    const posted = onWrite('post', PATH, ok);
    const deleted = onWrite('delete', PATH, ok);
    const on = registration();
    await renew({ oldSubscription: { endpoint: 'https://push.test/old' } }, on);
    expect(on.pushManager.subscribe).toHaveBeenCalledWith({
      userVisibleOnly: true,
      applicationServerKey: 'server-key',
    });
    expect(posted).toEqual([renewed.toJSON()]);
    expect(deleted).toEqual([{ endpoint: 'https://push.test/old' }]);
  });

  it('is replaced where the browser does not name it', async () => {
    onGet(PATH, { publicKey: 'server-key', subscriptions: [] });
    const posted = onWrite('post', PATH, ok);
    await renew({}, registration());
    expect(posted).toEqual([renewed.toJSON()]);
  });

  it('stays ended while the user is signed out', async () => {
    server.use(http.get(PATH, () => problem(401, 'not_signed_in', 'x')));
    const on = registration();
    await renew({}, on);
    expect(on.pushManager.subscribe).not.toHaveBeenCalled();
  });
});
