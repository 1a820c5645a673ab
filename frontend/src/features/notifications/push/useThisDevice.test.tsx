import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it, vi } from 'vitest';
import { runSignOutTasks } from '../../../lib/sign-out';
import { makeNotification, user as me } from '../../../test/fixtures';
import { define, pushBrowser } from '../../../test/push';
import { renderApp } from '../../../test/render';
import { onGet, onWrite, server } from '../../../test/server';
import { NotificationBell } from '../NotificationBell';
import { setMark } from './marks';
import { useThisDevice } from './useThisDevice';

function Page() {
  useThisDevice(me);
  return <NotificationBell />;
}

beforeEach(() => localStorage.clear());

function badge() {
  const setAppBadge = vi.fn(async (_: number) => {});
  define(navigator, 'setAppBadge', setAppBadge);
  return setAppBadge;
}

it('shows the unread notifications on the icon, and none once they are read', async () => {
  const setAppBadge = badge();
  let list = [
    makeNotification(),
    makeNotification({ id: 'n-2' }),
    makeNotification({ id: 'n-3', isRead: true }),
  ];
  let asked = 0;
  server.use(
    http.get('/api/notifications', () => {
      asked += 1;
      return HttpResponse.json(list);
    }),
  );
  onWrite('post', '/api/notifications/read-all', () => {
    list = list.map((notification) => ({ ...notification, isRead: true }));
    return HttpResponse.json({ marked: 2 });
  });
  const { user } = renderApp(<Page />);
  await waitFor(() => expect(setAppBadge.mock.calls).toEqual([[2]]));
  expect(asked, 'the bell and the badge share a request').toBe(1);
  await user.click(await screen.findByRole('button', { name: 'Mark all read', hidden: true }));
  await waitFor(() => expect(setAppBadge.mock.calls).toEqual([[2], [0]]));
});

it('starts the worker and turns notifications on again', async () => {
  onGet('/api/notifications', []);
  setMark(me.id, 'on');
  const { register, posted } = pushBrowser({ permission: 'granted' });
  renderApp(<Page />);
  await waitFor(() => expect(posted).toHaveLength(1));
  expect(register).toHaveBeenCalledTimes(1);
});

it('ends at a sign-out', async () => {
  onGet('/api/notifications', []);
  const setAppBadge = badge();
  setMark(me.id, 'on');
  const { current, posted } = pushBrowser({ permission: 'granted' });
  const { unmount } = renderApp(<Page />);
  await waitFor(() => expect(posted).toHaveLength(1));
  expect(current()).not.toBeNull();
  await runSignOutTasks();
  expect(current()).toBeNull();
  expect(setAppBadge).toHaveBeenLastCalledWith(0);
  unmount();
  setAppBadge.mockClear();
  await runSignOutTasks();
  expect(setAppBadge).not.toHaveBeenCalled();
});

it('needs none of it', async () => {
  onGet('/api/notifications', [makeNotification()]);
  renderApp(<Page />);
  expect(await screen.findByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible();
  await runSignOutTasks();
});
