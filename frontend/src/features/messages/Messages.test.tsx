import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { refreshLists } from '../../api/lists';
import type { Message } from '../../api/types';
import { user } from '../../test/fixtures';
import { live, me, message, onHeldSend, onMessages, onSend, show } from '../../test/messages';
import { onGet, onWrite, problem, server } from '../../test/server';
import { parts } from './links';

beforeEach(() => onGet('/api/auth/user', user));
afterEach(() => {
  localStorage.clear();
  vi.unstubAllGlobals();
});

it('shows messages oldest first, with author, role and evidence', async () => {
  onMessages(
    message({ text: 'I won.' }),
    message({ author: me, text: 'You did not.', isEvidence: true }),
    message({ author: { id: 'u-x', username: null, email: 'x•••@example.com' }, text: 'Who won?' }),
  );
  show();
  const items = await screen.findAllByRole('listitem');
  expect(items.map((item) => item.textContent)).toEqual([
    expect.stringMatching(/ada.*Creator.*I won\./),
    expect.stringMatching(/You.*Acceptor.*Evidence.*You did not\./),
    expect.stringMatching(/x•••@example\.com.*Who won\?/),
  ]);
  expect(within(items[0] as HTMLElement).queryByText('Evidence')).toBeNull();
});

it.each([
  ['accepted', 'Arbiter'],
  ['declined', ''],
] as const)('says of an arbiter who %s: %j', async (status, role) => {
  const arbiter = { id: 'u-eve', username: 'eve', email: 'e•••@example.com' };
  onMessages(message({ author: arbiter, text: 'Please show a picture.' }));
  show({ ...live, arbiter: { ...arbiter, status } });
  const item = await screen.findByRole('listitem');
  expect(item).toHaveTextContent(new RegExp(`eve${role}Mar 1, .*Please show a picture\\.$`));
  if (!role) expect(item).not.toHaveTextContent('Arbiter');
});

it('shows text as text, and links with their host', async () => {
  onMessages(message({ text: '<b>Look</b> at https://evil.example/@bank.example. (http://a.example)' }));
  show();
  const links = await screen.findAllByRole('link', { name: /^http/ });
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    'https://evil.example/@bank.example',
    'http://a.example',
  ]);
  for (const link of links) expect(link).toHaveAttribute('rel', 'nofollow ugc noopener');
  expect(screen.getByText('[evil.example]')).toBeVisible();
  expect(screen.getByText(/<b>Look<\/b>/)).toBeVisible();
});

it.each([
  ['no link: javascript:alert(1) ftp://a.example', []],
  ['https://a.example/x?y=1#z, then', ['a.example']],
  ['https://пример.example/', ['xn--e1afmkfd.example']],
  ['https://bank.example@evil.example/', ['evil.example']],
  ['http://', []],
])('finds the links of %j', (text, hosts) => {
  const found = parts(text);
  expect(found.flatMap((part) => ('host' in part ? [part.host] : []))).toEqual(hosts);
  expect(found.map((part) => ('url' in part ? part.url : part.text)).join('')).toBe(text);
});

it('says that there are no messages', async () => {
  show();
  expect(await screen.findByText('No messages yet.')).toBeVisible();
});

it('loads earlier messages on demand', async () => {
  const all = Array.from({ length: 4 }, () => message());
  server.use(
    http.get('/api/bets/bet-1/messages', ({ request }) => {
      const isSecond = new URL(request.url).searchParams.has('cursor');
      const page = isSecond ? [all[1], all[0]] : [all[3], all[2]];
      const link = { Link: '</api/bets/bet-1/messages?cursor=x>; rel="next"' };
      return HttpResponse.json(page as Message[], { headers: isSecond ? {} : link });
    }),
  );
  const { user: visitor } = show();
  await screen.findByText(all[3]?.text as string);
  expect(screen.getAllByRole('listitem')).toHaveLength(2);
  await visitor.click(screen.getByRole('button', { name: 'Show earlier messages' }));
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(4));
  const shown = screen.getAllByRole('listitem').map((item) => item.textContent);
  for (const [index, one] of all.entries()) expect(shown[index]).toContain(one.text);
});

it('sends a message, shows it and forgets the draft', async () => {
  onMessages();
  const { user: visitor } = show(live, 'tok');
  await visitor.type(await screen.findByLabelText('Message'), '  I won.  ');
  await waitFor(() => expect(sessionStorage.getItem(`bolts.message.${user.id}.bet-1`)).toContain('I won.'));
  const sent = onWrite('post', '/api/bets/bet-1/messages', () => {
    onMessages(message({ author: me, text: 'I won.' }));
    return HttpResponse.json(message(), { status: 201 });
  });
  await visitor.click(screen.getByRole('button', { name: 'Send' }));
  expect(await screen.findByText('I won.')).toBeVisible();
  expect(sent).toEqual([{ text: 'I won.', pictureIds: [] }]);
  await waitFor(() => expect(screen.getByLabelText('Message')).toHaveValue(''));
  expect(sessionStorage.getItem(`bolts.message.${user.id}.bet-1`)).toBeNull();
});

it('keeps the draft after a refusal and a reload', async () => {
  onWrite('post', '/api/bets/bet-1/messages', () =>
    problem(429, 'too_many_messages', 'Please wait a while.'),
  );
  const first = show();
  await first.user.type(await screen.findByLabelText('Message'), 'I won.');
  await first.user.click(screen.getByRole('button', { name: 'Send' }));
  expect(await screen.findByText('Please wait a while.')).toBeVisible();
  expect(screen.getByLabelText('Message')).toHaveValue('I won.');
  first.unmount();
  show();
  expect(await screen.findByLabelText('Message')).toHaveValue('I won.');
});

it('keeps what the user writes while a message is sent', async () => {
  const answer = onHeldSend();
  const { user: visitor } = show();
  const field = await screen.findByLabelText('Message');
  await visitor.type(field, 'I won.');
  await visitor.click(screen.getByRole('button', { name: 'Send' }));
  await visitor.type(field, ' See you.');
  answer();
  await waitFor(() => expect(field).toHaveValue('See you.'));
  expect(sessionStorage.getItem(`bolts.message.${user.id}.bet-1`)).toContain('"See you."');
});

it('forgets a draft that was sent after the user left the page', async () => {
  const answer = onHeldSend();
  const stored = () => sessionStorage.getItem(`bolts.message.${user.id}.bet-1`);
  const { user: visitor, unmount } = show();
  await visitor.type(await screen.findByLabelText('Message'), 'I won.');
  await visitor.click(screen.getByRole('button', { name: 'Send' }));
  unmount();
  expect(stored()).toContain('I won.');
  answer();
  await waitFor(() => expect(stored()).toBeNull());
});

it('sends the same text again with its key, but as a new message after an edit', async () => {
  const lost = () => HttpResponse.error();
  const seen = onSend(lost, lost);
  const first = show();
  await first.user.type(await screen.findByLabelText('Message'), 'ok');
  await first.user.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Send' })).toBeEnabled());
  first.unmount();

  const { user: visitor } = show();
  const field = await screen.findByLabelText('Message');
  await visitor.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(seen).toHaveLength(2));
  expect(seen[1]).toBe(seen[0]);
  // The first message was stored after all. The user clears the field, and later writes the same text.
  await waitFor(() => expect(screen.getByRole('button', { name: 'Send' })).toBeEnabled());
  await visitor.clear(field);
  await visitor.type(field, 'ok');
  await visitor.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(field).toHaveValue(''));
  expect(seen).toHaveLength(3);
  expect(seen[2]).not.toBe(seen[0]);
});

it('refuses an empty and a too long message before it is sent', async () => {
  const { user: visitor } = show();
  await visitor.click(await screen.findByRole('button', { name: 'Send' }));
  expect(await screen.findByText('Please write something')).toBeVisible();
  await visitor.click(screen.getByLabelText('Message'));
  await visitor.paste('é'.repeat(1001));
  await visitor.click(screen.getByRole('button', { name: 'Send' }));
  expect(await screen.findByText('A message has at most 1,000 characters')).toBeVisible();
});

it('tells who may write', async () => {
  onGet('/api/auth/user', user);
  const stranger = show({ isPrivate: true, isPublic: false });
  expect(await screen.findByText('Only the two sides and the arbiter can write here.')).toBeVisible();
  stranger.unmount();
  const bystander = show({});
  expect(await screen.findByLabelText('Message')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Add picture' })).toBeNull();
  bystander.unmount();
  server.use(http.get('/api/auth/user', () => problem(401, 'not_signed_in', 'Sign in')));
  show({});
  expect(await screen.findByRole('link', { name: 'Sign in to write' })).toHaveAttribute(
    'href',
    expect.stringContaining('/auth'),
  );
});

it.each([
  ['accepted', true],
  ['invited', false],
] as const)('lets an arbiter who has %s add pictures: %j', async (status, mayAttach) => {
  const arbiter = { id: user.id, username: 'eve', email: 'e•••@example.com', status };
  show({ ...live, creatorId: 'u-ada', acceptorId: 'u-bob', arbiter });
  expect(await screen.findByLabelText('Message')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Add picture' }) !== null).toBe(mayAttach);
});

it('tells a party that a message in a dispute is evidence', async () => {
  const disputed = { ...live, status: 'awaiting_resolution', disputedAt: '2026-03-01T12:00:00Z' } as const;
  const party = show(disputed);
  expect(await screen.findByText(/is evidence for the ruling, and you cannot delete it/)).toBeVisible();
  party.unmount();
  show({ ...disputed, acceptorId: 'u-bob' });
  expect(await screen.findByText('Everybody who sees this bet can read it.')).toBeVisible();
});

it('deletes a message after a question and shows its trace', async () => {
  const mine = message({ author: me, text: 'Oops.', canDelete: true });
  onMessages(mine, message());
  const { user: visitor } = show();
  await visitor.click(await screen.findByRole('button', { name: 'Delete' }));
  const removed = onWrite('delete', `/api/messages/${mine.id}`, () => {
    onMessages({ ...mine, text: null, deletedAt: '2026-03-01T12:06:00Z', canDelete: false });
    return HttpResponse.json({ ok: true });
  });
  await visitor.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('This message was deleted.')).toBeVisible();
  expect(removed).toHaveLength(1);
  expect(screen.queryByText('Oops.')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
});

it('marks what is new to this user until the next visit', async () => {
  const [old, own, fresh] = [message(), message({ author: me }), message({ text: 'Fresh' })];
  localStorage.setItem(`bolts.messages-seen.${user.id}.bet-1`, old?.id as string);
  onMessages(old as Message, own as Message, fresh as Message);
  const first = show();
  expect(await screen.findByRole('heading', { name: 'Messages · 1 new' })).toBeVisible();
  const marked = screen.getByText('New').closest('li') as HTMLElement;
  expect(marked).toHaveTextContent('Fresh');
  await waitFor(() =>
    expect(localStorage.getItem(`bolts.messages-seen.${user.id}.bet-1`)).toBe((fresh as Message).id),
  );
  first.unmount();
  show();
  expect(await screen.findByText('Fresh')).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Messages' })).toBeVisible();
});

it('keeps a message new that came while the messages were off screen', async () => {
  let look: (...states: boolean[]) => void = () => {};
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(onChange: (entries: { isIntersecting: boolean }[]) => void) {
        look = (...states) => act(() => onChange(states.map((isIntersecting) => ({ isIntersecting }))));
      }
      observe() {}
      disconnect() {}
    },
  );
  const seen = () => localStorage.getItem(`bolts.messages-seen.${user.id}.bet-1`);
  const [old, fresh] = [message({ text: 'Old' }), message({ text: 'Fresh' })];
  onMessages(old);
  show();
  await screen.findByText('Old');
  expect(seen()).toBeNull();
  look(true);
  expect(seen()).toBe(old.id);
  look(true, false);
  onMessages(old, fresh);
  await act(() => refreshLists('/api/bets/bet-1/'));
  expect(await screen.findByText('Fresh')).toBeVisible();
  expect(seen()).toBe(old.id);
  look(true);
  expect(seen()).toBe(fresh.id);
});

it('shows a new message after a hint', async () => {
  onMessages(message({ text: 'First' }));
  show();
  await screen.findByText('First');
  onMessages(message({ text: 'First' }), message({ text: 'Second' }));
  await act(() => refreshLists('/api/bets/bet-1/'));
  expect(await screen.findByText('Second')).toBeVisible();
});
