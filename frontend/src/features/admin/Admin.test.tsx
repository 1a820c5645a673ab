import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AdminAction, Bet, BetAction } from '../../api/types';
import AdminPage from '../../pages/AdminPage';
import { makeBet, user as me } from '../../test/fixtures';
import { renderApp } from '../../test/render';
import { onGet, onWrite, problem, server } from '../../test/server';

const action: AdminAction = {
  id: '7',
  admin: 'boss@example.com',
  action: 'grant_bolts',
  user: 'ada@example.com',
  betId: null,
  detail: '5000',
  at: '2026-03-01T12:00:00Z',
};

const toast = () => screen.getAllByRole('status').at(-1);
const card = (name: string) => within(screen.getByRole('region', { name }));

beforeEach(() => {
  onGet('/api/auth/user', { ...me, isAdmin: true });
  onGet('/api/admin/disputes', []);
  onGet('/api/admin/bets', []);
  onGet('/api/admin/actions', []);
  onGet('/api/admin/withdrawals', []);
  onGet('/api/admin/wallet', { isTestMode: false, pause: null, solvency: null, inDoubt: 0 });
});

async function opened() {
  const view = renderApp(<AdminPage />, '/admin');
  await screen.findByRole('heading', { level: 1, name: 'Super Admin Panel' });
  return view;
}

it('says where a list is empty', async () => {
  await opened();
  expect(await screen.findByText('No disputes to decide')).toBeVisible();
  expect(await screen.findByText('No bets found')).toBeVisible();
  expect(await screen.findByText('Nothing yet')).toBeVisible();
  // An admin who is asked to rule finds the disputes first.
  const [first] = screen.getAllByRole('heading', { level: 2 });
  expect(first).toHaveTextContent('Disputes');
});

it.each([
  ['pause_withdrawals', null, 'Operator paused withdrawals'],
  ['resume_withdrawals', null, 'Operator resumed withdrawals'],
  ['settle_withdrawal', 'ada@example.com', 'Operator settled a withdrawal of ada@example.com'],
  ['provider_moved', null, 'Operator said that the Lightning provider has moved'],
  ['late_deposit', 'ada@example.com', 'Operator recorded a late deposit of ada@example.com'],
  ['reconcile_withdrawal', 'ada@example.com', 'booked a payment of the provider’s list for ada@example.com'],
  ['reconcile_withdrawal', null, 'Operator noted a payment as the operator’s own'],
  ['reconcile_deposit', 'ada@example.com', 'Operator booked a paid invoice for ada@example.com'],
  ['reconcile_deposit', null, 'Operator noted a paid invoice as the operator’s own'],
])('tells in words of %s', async (name, user, words) => {
  onGet('/api/admin/actions', [{ ...action, admin: null, action: name, user, detail: 'a name of its own' }]);
  await opened();
  const entry = (await screen.findByText('a name of its own')).closest('li');
  expect(entry).toHaveTextContent(words);
});

describe('deposit', () => {
  const fields = () => card('Deposit Bolts to User');
  const submit = () => fields().getByRole('button', { name: 'Deposit Bolts' });

  it.each([
    ['', '', 'User email is required', 'Amount must be at least 1'],
    ['a@example.com', '0', null, 'Amount must be at least 1'],
    ['a@example.com', '-5', null, 'Amount must be a whole number, such as 1,000'],
    ['a@example.com', '1.5', null, 'Amount must be a whole number, such as 1,000'],
    ['a@example.com', '1.000', null, 'Amount must be a whole number, such as 1,000'],
    ['a@example.com', '1.000,5', null, 'Amount must be a whole number, such as 1,000'],
    ['a@example.com', '1e3', null, 'Amount must be a whole number, such as 1,000'],
    ['a@example.com', 'many', null, 'Amount must be a whole number, such as 1,000'],
    ['a@example.com', '100000001', null, 'Amount must be at most 100,000,000'],
  ])('refuses %j and %j', async (email, amount, emailWords, amountWords) => {
    const sent = onWrite('post', '/api/admin/deposit-bolts', () => HttpResponse.json({}));
    const { user } = await opened();
    if (email) await user.type(fields().getByLabelText('User Email'), email);
    if (amount) await user.type(fields().getByLabelText('Amount in Bolts'), amount);
    await user.click(submit());
    if (emailWords) expect(fields().getByText(emailWords)).toBeVisible();
    expect(fields().getByText(amountWords)).toBeVisible();
    expect(sent).toEqual([]);
  });

  it.each(['500', '2,500', '2 500'])('sends the amount %j as a number', async (typed) => {
    const sent = onWrite('post', '/api/admin/deposit-bolts', () =>
      HttpResponse.json({ userEmail: 'ada@example.com', amount: 0, boltsBalance: 5000 }),
    );
    const { user } = await opened();
    await user.type(fields().getByLabelText('User Email'), 'ada@example.com');
    await user.type(fields().getByLabelText('Amount in Bolts'), typed);
    await user.click(submit());
    const amount = typed === '500' ? 500 : 2500;
    await waitFor(() => expect(sent).toEqual([{ userEmail: 'ada@example.com', amount }]));
  });

  it('deposits, says what the user now has, and reads the log again', async () => {
    const { user } = await opened();
    const sent = onWrite('post', '/api/admin/deposit-bolts', () => {
      onGet('/api/admin/actions', [action]);
      return HttpResponse.json({ userEmail: 'ada@example.com', amount: 500, boltsBalance: 1500 });
    });
    await user.type(fields().getByLabelText('User Email'), ' ada@example.com ');
    await user.type(fields().getByLabelText('Amount in Bolts'), '500');
    await user.click(submit());
    await waitFor(() => expect(toast()).toHaveTextContent('Bolts deposited successfully'));
    await waitFor(() => expect(toast()).toHaveTextContent('ada@example.com now has 1,500 Bolts.'));
    expect(sent).toEqual([{ userEmail: 'ada@example.com', amount: 500 }]);
    expect(fields().getByLabelText('User Email')).toHaveValue('');
    expect(await screen.findByText('boss@example.com')).toBeVisible();
  });

  it('says where an earlier try had deposited already that nothing new was added', async () => {
    const { user } = await opened();
    onWrite('post', '/api/admin/deposit-bolts', () =>
      HttpResponse.json(
        { userEmail: 'ada@example.com', amount: 500, boltsBalance: 1500 },
        { headers: { 'Idempotent-Replayed': 'true' } },
      ),
    );
    await user.type(fields().getByLabelText('User Email'), 'ada@example.com');
    await user.type(fields().getByLabelText('Amount in Bolts'), '500');
    await user.click(submit());
    await waitFor(() => expect(toast()).toHaveTextContent(/Already deposited.*Nothing new was added\./));
    expect(toast()).not.toHaveTextContent('Bolts deposited successfully');
  });

  it('tells an unknown user', async () => {
    onWrite('post', '/api/admin/deposit-bolts', () =>
      problem(404, 'user_not_found', 'There is no user with this email.'),
    );
    const { user } = await opened();
    await user.type(fields().getByLabelText('User Email'), 'nobody@example.com');
    await user.type(fields().getByLabelText('Amount in Bolts'), '5');
    await user.click(submit());
    await waitFor(() =>
      expect(toast()).toHaveTextContent('Failed to deposit BoltsThere is no user with this email.'),
    );
    expect(fields().getByLabelText('User Email')).toHaveValue('nobody@example.com');
  });
});

describe('password reset', () => {
  const fields = () => card('Reset User Password');
  const submit = () => fields().getByRole('button', { name: 'Reset Password' });

  it('needs an email', async () => {
    const { user } = await opened();
    await user.click(submit());
    await waitFor(() => expect(fields().getByText('User email is required')).toBeVisible());
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('asks, then shows the one-time password once', async () => {
    const sent = onWrite('post', '/api/admin/reset-password', () =>
      HttpResponse.json({ temporaryPassword: 'K7QZ-ONCE' }),
    );
    const { user } = await opened();
    await user.type(fields().getByLabelText('User Email'), 'ada@example.com');
    await user.click(submit());
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/Reset the password of ada@example.com\?/)).toBeVisible();
    expect(sent).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Reset Password' }));
    await waitFor(() => expect(toast()).toHaveTextContent('Password Reset Successfully'));
    expect(screen.getByLabelText('One-time password of ada@example.com')).toHaveValue('K7QZ-ONCE');
    expect(sent).toEqual([{ userEmail: 'ada@example.com' }]);
    await user.click(screen.getByRole('button', { name: 'Copy Password' }));
    await waitFor(() => expect(toast()).toHaveTextContent('Password Copied'));
    expect(await navigator.clipboard.readText()).toBe('K7QZ-ONCE');
    await user.click(screen.getByRole('button', { name: 'Done, hide it' }));
    expect(screen.queryByDisplayValue('K7QZ-ONCE')).not.toBeInTheDocument();
  });

  it('resets one after the other, also when the question is closed while it does', async () => {
    let answer = (_: Response) => {};
    server.use(
      http.post(
        '/api/admin/reset-password',
        () =>
          new Promise<Response>((resolve) => {
            answer = resolve;
          }),
      ),
    );
    const { user } = await opened();
    const email = fields().getByLabelText('User Email');
    await user.type(email, 'ada@example.com');
    await user.click(submit());
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Reset Password' }));
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await user.type(email, 'x{Enter}');
    await waitFor(() => expect(email).toHaveValue('ada@example.com'));
    await user.click(fields().getByRole('button', { name: 'Resetting...' }));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    answer(HttpResponse.json({ temporaryPassword: 'K7QZ-ONCE' }));
    expect(await screen.findByLabelText('One-time password of ada@example.com')).toHaveValue('K7QZ-ONCE');
    await waitFor(() => expect(submit()).toBeVisible());
    await user.type(email, 'bob@example.com');
    await user.click(submit());
    expect(await screen.findByRole('dialog')).toHaveTextContent('Reset the password of bob@example.com?');
  });

  it('tells why not', async () => {
    onWrite('post', '/api/admin/reset-password', () =>
      problem(403, 'conflict_of_interest', 'You have an open bet with this user.'),
    );
    const { user } = await opened();
    await user.type(fields().getByLabelText('User Email'), 'ada@example.com');
    await user.click(submit());
    await user.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Reset Password' }),
    );
    await waitFor(() =>
      expect(toast()).toHaveTextContent('Failed to reset passwordYou have an open bet with this user.'),
    );
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });
});

describe('all bets', () => {
  const actions: BetAction[] = ['admin_delete'];
  const open = makeBet({ id: 'b-1', title: 'Open one', isPrivate: true, actions });
  const resolved = { status: 'resolved', acceptorId: 'u-bob' } as const;
  const settled = makeBet({ id: 'b-2', title: 'Settled one', ...resolved, actions });
  const own = makeBet({ id: 'b-3', title: 'My own', creatorId: me.id, actions: ['delete'] });
  const row = (title: string) =>
    within(screen.getByRole('heading', { level: 3, name: title }).closest('article') as HTMLElement);

  async function listed(bets: Bet[]) {
    let list = bets;
    server.use(http.get('/api/admin/bets', () => HttpResponse.json(list)));
    const view = await opened();
    await screen.findByRole('heading', { level: 3, name: bets[0]?.title ?? '' });
    return { ...view, shrink: () => (list = list.slice(1)) };
  }

  it('deletes with refunds after asking', async () => {
    const { user, shrink } = await listed([open, settled]);
    const deleted = onWrite('delete', '/api/admin/bets/b-1', () => {
      shrink();
      return HttpResponse.json({ ok: true });
    });
    await user.click(row('Open one').getByRole('button', { name: 'Delete & Refund' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/All participants will be refunded/)).toBeVisible();
    expect(deleted).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Delete & Refund' }));
    await waitFor(() => expect(toast()).toHaveTextContent('Bet deleted and refunds processed'));
    await waitFor(() => expect(screen.queryByText('Open one')).not.toBeInTheDocument());
    expect(screen.getByText('Settled one')).toBeVisible();
  });

  it('asks about the next one while the deletion of another runs', async () => {
    const third = makeBet({ id: 'b-4', title: 'Another one', actions });
    const { user, shrink } = await listed([open, third]);
    let answer = (_: Response) => {};
    server.use(
      http.delete(
        '/api/admin/bets/b-1',
        () =>
          new Promise<Response>((resolve) => {
            answer = resolve;
          }),
      ),
    );
    const deleted = onWrite('delete', '/api/admin/bets/b-4', () => HttpResponse.json({ ok: true }));
    const dialog = () => within(screen.getByRole('dialog'));
    await user.click(row('Open one').getByRole('button', { name: 'Delete & Refund' }));
    await user.click(dialog().getByRole('button', { name: 'Delete & Refund' }));
    await user.click(dialog().getByRole('button', { name: 'Cancel' }));
    await user.click(row('Another one').getByRole('button', { name: 'Delete & Refund' }));
    shrink();
    answer(HttpResponse.json({ ok: true }));
    expect(await screen.findByText('Bet deleted and refunds processed')).toBeVisible();
    await waitFor(() => expect(screen.queryByText('Open one')).not.toBeInTheDocument());
    expect(dialog().getByText(/Another one/)).toBeVisible();
    expect(deleted).toEqual([]);
    await user.click(dialog().getByRole('button', { name: 'Delete & Refund' }));
    await waitFor(() => expect(deleted).toHaveLength(1));
  });

  it('promises no refund of what has been paid out', async () => {
    const { user } = await listed([settled]);
    await user.click(row('Settled one').getByRole('button', { name: 'Delete & Refund' }));
    expect(await screen.findByText(/there is nothing to refund/)).toBeVisible();
  });

  it('leaves a bet of one’s own to another admin', async () => {
    await listed([own]);
    expect(row('My own').queryByRole('button')).not.toBeInTheDocument();
    expect(row('My own').getByText(/another admin has to delete it/)).toBeVisible();
  });

  it('tells a failure', async () => {
    const { user } = await listed([open]);
    onWrite('delete', '/api/admin/bets/b-1', () => problem(503, 'unavailable', 'Try again in a moment.'));
    await user.click(row('Open one').getByRole('button', { name: 'Delete & Refund' }));
    await user.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete & Refund' }),
    );
    const told = within(await screen.findByRole('dialog')).getByRole('status');
    await waitFor(() => expect(told).toHaveTextContent('Failed to delete betTry again in a moment.'));
  });

  it('goes on to further pages', async () => {
    server.use(
      http.get('/api/admin/bets', ({ request }) =>
        new URL(request.url).searchParams.has('cursor')
          ? HttpResponse.json([settled])
          : HttpResponse.json([open], { headers: { Link: '</api/admin/bets?cursor=c>; rel="next"' } }),
      ),
    );
    const { user } = await opened();
    await user.click(await screen.findByRole('button', { name: 'Show more bets' }));
    expect(await screen.findByText('Settled one')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Show more bets' })).not.toBeInTheDocument();
  });
});

it('logs who did what to whom', async () => {
  onGet('/api/admin/actions', [
    action,
    { ...action, id: '6', action: 'delete_bet', user: null, betId: 'b-1', detail: null },
    { ...action, id: '5', admin: null, action: 'grant_admin', detail: null },
    { ...action, id: '4', action: 'something_new', detail: null },
  ]);
  await opened();
  const log = card('Action Log');
  const entries = (await log.findAllByRole('listitem')).map((item) => item.textContent);
  expect(entries).toEqual([
    expect.stringMatching(/^boss@example.com deposited Bolts to ada@example.com.*5,000 Bolts$/),
    expect.stringMatching(/^boss@example.com deleted the bet/),
    expect.stringMatching(/^Operator made an admin of ada@example.com/),
    expect.stringMatching(/^boss@example.com something_new ada@example.com/),
  ]);
  expect(log.getByRole('link', { name: 'the bet' })).toHaveAttribute('href', '/bet/b-1');
});

describe('a dispute', () => {
  const disputed = makeBet({
    acceptorId: 'u-bob',
    acceptor: { username: 'bob', email: 'bob@example.com' },
    status: 'awaiting_resolution',
    disputedAt: '2026-03-01T12:00:00Z',
    disputeReason: 'It did not snow',
    actions: ['rule', 'refund', 'admin_delete'],
  });

  it('is left to another admin where the server lists no ruling', async () => {
    onGet('/api/admin/disputes', [{ ...disputed, actions: [] }]);
    await opened();
    expect(
      await screen.findByText('You have a stake in this bet, so another admin has to rule.'),
    ).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Rule' })).not.toBeInTheDocument();
  });

  it('needs a ruling, and leads to the choice of one', async () => {
    onGet('/api/admin/disputes', [disputed]);
    const { user } = await opened();
    await user.click(await screen.findByRole('button', { name: 'Rule' }));
    await waitFor(() => expect(screen.getByText('Choose an outcome first')).toBeVisible());
    await waitFor(() => expect(screen.getByRole('radio', { name: 'It snows' })).toHaveFocus());
  });

  async function rule(user: UserEvent) {
    await user.click(screen.getByRole('button', { name: 'Rule' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Rule this outcome?' }));
    await user.click(dialog.getByRole('button', { name: 'Rule' }));
  }

  it.each([
    ['It snows', 'ada gets 400 Bolts. bob loses the stake of 200 Bolts.'],
    ['Void', 'Each stake goes back. ada gets back 200 Bolts. bob gets back 200 Bolts.'],
  ])('is ruled on after asking once more who gets what: %s', async (choice, words) => {
    onGet('/api/admin/disputes', [disputed]);
    const sent = onWrite('post', '/api/admin/bets/bet-1/rule', () => HttpResponse.json(disputed));
    const { user } = await opened();
    await user.click(await screen.findByRole('radio', { name: new RegExp(`^${choice}`) }));
    await user.click(screen.getByRole('button', { name: 'Rule' }));
    expect(await screen.findByRole('dialog')).toHaveTextContent(words);
    expect(sent).toEqual([]);
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }));
    await rule(user);
    await waitFor(() => expect(sent).toHaveLength(1));
  });

  it('leads to what the server finds wrong, and goes when another admin has ruled', async () => {
    onGet('/api/admin/disputes', [disputed]);
    onWrite('post', '/api/admin/bets/bet-1/rule', () =>
      problem(422, 'invalid_fields', 'Check the form.', [{ field: 'note', message: 'The note is too long' }]),
    );
    const { user } = await opened();
    await user.click(await screen.findByRole('radio', { name: 'It snows' }));
    await rule(user);
    expect(await screen.findByText('The note is too long')).toBeVisible();
    await waitFor(() => expect(screen.getByRole('textbox', { name: /note/i })).toHaveFocus());
    onGet('/api/admin/disputes', []);
    onWrite('post', '/api/admin/bets/bet-1/rule', () =>
      problem(409, 'bet_already_resolved', 'This bet is settled.'),
    );
    await rule(user);
    expect(await screen.findByText('No disputes to decide')).toBeVisible();
  });
});
