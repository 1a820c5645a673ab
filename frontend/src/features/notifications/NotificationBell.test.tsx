import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, it, vi } from 'vitest';
import type { Notification } from '../../api/types';
import { holdClock, passTimeUntil } from '../../test/clock';
import { makeNotification } from '../../test/fixtures';
import { renderApp } from '../../test/render';
import { onGet, onWrite, problem, server } from '../../test/server';
import { NotificationBell } from './NotificationBell';

afterEach(() => vi.useRealTimers());

it('counts the unread and shows title, message and time of each', async () => {
  onGet('/api/notifications', [
    makeNotification(),
    makeNotification({ id: 'n-2', title: 'Bet accepted', isRead: true }),
  ]);
  renderApp(<NotificationBell />);
  expect(await screen.findByRole('button', { name: 'Notifications, 1 unread' })).toBeInTheDocument();
  expect(screen.getByTestId('unread-count')).toHaveTextContent('1');
  expect(await screen.findByText('Outcome proposed')).toBeInTheDocument();
  expect(screen.getAllByText('ada proposes an outcome')).toHaveLength(2);
  const marks = screen.getAllByRole('listitem', { hidden: true }).map((item) => {
    const button = item.querySelector('button');
    return [button?.dataset.unread, button?.textContent?.startsWith('Unread: ')];
  });
  expect(marks).toEqual([
    ['true', true],
    ['false', false],
  ]);
  expect(screen.getAllByText(/^Mar 1, \d{1,2}:05 (AM|PM)$/)).toHaveLength(2);
});

it('words a deadline in the own time of the reader', async () => {
  const deadline = new Date(2026, 2, 4, 18, 30).toISOString();
  onGet('/api/notifications', [
    makeNotification({ message: 'It stands on Mar 4, 2026, 12:30 PM New York time.', deadline }),
  ]);
  renderApp(<NotificationBell />);
  expect(
    await screen.findByText(
      'It stands on Mar 4, 2026, 12:30 PM New York time. That is Mar 4, 2026, 6:30 PM your time.',
    ),
  ).toBeInTheDocument();
});

it('has no badge and no Clear All without notifications', async () => {
  onGet('/api/notifications', []);
  renderApp(<NotificationBell />);
  expect(screen.getByText('Loading...')).toBeInTheDocument();
  expect(screen.queryByText('No notifications yet')).not.toBeInTheDocument();
  expect(await screen.findByText('No notifications yet')).toBeInTheDocument();
  expect(screen.queryByTestId('unread-count')).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Clear All', hidden: true })).not.toBeInTheDocument();
});

it('marks a chosen one read and goes to its bet', async () => {
  let list = [makeNotification()];
  server.use(http.get('/api/notifications', () => HttpResponse.json(list)));
  const read = onWrite('post', '/api/notifications/n-1/read', () => {
    list = [makeNotification({ isRead: true })];
    return HttpResponse.json(list[0]);
  });
  const { user } = renderApp(<NotificationBell />);
  await user.click(await screen.findByRole('button', { name: /Outcome proposed/, hidden: true }));
  await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/bet/bet-1'));
  await waitFor(() => expect(screen.queryByTestId('unread-count')).not.toBeInTheDocument());
  expect(read).toHaveLength(1);
});

it('marks all read, and offers it only while one is unread', async () => {
  let list = [makeNotification(), makeNotification({ id: 'n-2' })];
  server.use(http.get('/api/notifications', () => HttpResponse.json(list)));
  const marked = onWrite('post', '/api/notifications/read-all', () => {
    list = list.map((notification) => ({ ...notification, isRead: true }));
    return HttpResponse.json({ marked: 2 });
  });
  const { user } = renderApp(<NotificationBell />);
  await user.click(await screen.findByRole('button', { name: 'Mark all read', hidden: true }));
  await waitFor(() => expect(screen.queryByTestId('unread-count')).not.toBeInTheDocument());
  expect(screen.queryByRole('button', { name: 'Mark all read', hidden: true })).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Clear All', hidden: true })).toBeInTheDocument();
  expect(marked).toHaveLength(1);
});

it('clears all', async () => {
  let list: Notification[] = [makeNotification()];
  server.use(http.get('/api/notifications', () => HttpResponse.json(list)));
  onWrite('delete', '/api/notifications/clear-all', () => {
    list = [];
    return HttpResponse.json({ cleared: 1 });
  });
  const { user } = renderApp(<NotificationBell />);
  await user.click(await screen.findByRole('button', { name: 'Clear All', hidden: true }));
  expect(await screen.findByText('No notifications yet')).toBeInTheDocument();
});

it('looks again every 30 seconds', async () => {
  holdClock();
  let asked = 0;
  server.use(
    http.get('/api/notifications', () => {
      asked += 1;
      return HttpResponse.json([]);
    }),
  );
  renderApp(<NotificationBell />);
  await waitFor(() => expect(asked).toBe(1));
  await vi.advanceTimersByTimeAsync(29_000);
  await waitFor(() => expect(asked).toBe(1));
  await passTimeUntil(() => expect(asked).toBe(2));
});

it('looks again after 30 seconds where it failed, but not while nobody looks', async () => {
  holdClock();
  let asked = 0;
  server.use(
    http.get('/api/notifications', () => {
      asked += 1;
      return asked < 3 ? problem(503, 'unavailable', 'x') : HttpResponse.json([makeNotification()]);
    }),
  );
  renderApp(<NotificationBell />);
  await waitFor(() => expect(asked).toBe(1));
  await passTimeUntil(() => expect(asked).toBe(2));
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  await vi.advanceTimersByTimeAsync(61_000);
  await waitFor(() => expect(asked).toBe(2));
  hidden.mockRestore();
  const unread = { name: 'Notifications, 1 unread' };
  await passTimeUntil(() => expect(screen.getByRole('button', unread)).toBeInTheDocument());
});
