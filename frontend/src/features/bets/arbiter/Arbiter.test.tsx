import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { Route, Routes } from 'react-router-dom';
import { describe, expect, it } from 'vitest';
import type { Arbiter, Bet } from '../../../api/types';
import BetPage from '../../../pages/BetPage';
import { makeBet, user } from '../../../test/fixtures';
import { renderApp } from '../../../test/render';
import { onGet, onWrite, problem, server } from '../../../test/server';

const LIVE = {
  status: 'awaiting_resolution',
  acceptorId: 'u-bob',
  acceptor: { username: 'bob', email: 'b•••@example.com' },
  actions: [],
} satisfies Partial<Bet>;

const DISPUTED = {
  ...LIVE,
  disputedAt: '2026-11-01T12:00:00Z',
  disputeReason: 'It was otherwise.',
  arbiterDeadline: '2099-01-05T12:00:00Z',
  next: { event: 'dispute_lapse', at: '2099-02-01T12:00:00Z' },
  waitsFor: ['arbiter'],
} satisfies Partial<Bet>;

function arbiter(status: Arbiter['status'], id = 'u-eve'): Arbiter {
  return { id, username: id === user.id ? 'me' : 'eve', email: 'e•••@example.com', status };
}

function open(bet: Bet) {
  server.use(
    http.get('/api/auth/user', () => HttpResponse.json(user)),
    http.get('/api/bets/:key', () => HttpResponse.json(bet)),
  );
  onGet('/api/bets/:key/timeline', {
    events: [{ at: bet.createdAt, event: 'arbiter_accepted', by: 'arbiter', detail: null }],
    next: bet.next,
  });
  const page = (
    <Routes>
      <Route path="/bet/:id" element={<BetPage />} />
      <Route path="*" element={null} />
    </Routes>
  );
  return renderApp(page, `/bet/${bet.id}`);
}

describe('who rules, before staking', () => {
  it.each([
    ['invited', /eve is invited to be the arbiter and has not answered/],
    ['accepted', /eve is the arbiter and rules if the two sides disagree/],
    ['declined', /eve declined to be the arbiter\. An admin rules/],
    ['resigned', /eve stepped down as arbiter\. An admin rules/],
  ] as const)('an arbiter who is %s stands beside the button', async (status, words) => {
    open(makeBet({ arbiter: arbiter(status) }));
    const panel = (await screen.findByRole('heading', { name: 'Take This Bet' })).closest('section');
    expect(panel).not.toBeNull();
    expect(await within(panel as HTMLElement).findByRole('button', { name: 'Take This Bet' })).toBeVisible();
    // The button comes with the words, so that no user stakes before the words are there.
    expect(within(panel as HTMLElement).getByText(words)).toBeVisible();
  });

  it('a bet without an arbiter does not speak of one', async () => {
    open(makeBet());
    await screen.findByRole('button', { name: 'Take This Bet' });
    expect(screen.queryByText(/arbiter:/i)).not.toBeInTheDocument();
  });
});

describe('the arbiter', () => {
  const invited = makeBet({
    arbiter: arbiter('invited', user.id),
    actions: ['accept_arbitration', 'decline_arbitration'],
    turn: 'answer_invitation',
  });

  it.each([
    ['Be the Arbiter', true],
    ['Decline', false],
  ])('answers the invitation with %s', async (name, accept) => {
    open(invited);
    const sent = onWrite('post', '/api/bets/bet-1/arbiter', () => HttpResponse.json(invited));
    await userEvent.click(await screen.findByRole('button', { name }));
    expect(sent).toEqual([{ accept }]);
  });

  it('can still decline after the sides disagree, but not accept', async () => {
    open(makeBet({ ...DISPUTED, arbiter: arbiter('invited', user.id), actions: ['decline_arbitration'] }));
    const sent = onWrite('post', '/api/bets/bet-1/arbiter', () => HttpResponse.json(invited));
    expect(await screen.findByText(/can’t become the arbiter any more/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Be the Arbiter' })).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Decline' }));
    expect(sent).toEqual([{ accept: false }]);
    expect(screen.getByRole('button', { name: 'Decline' })).toHaveFocus();
  });

  it.each(['invited', 'declined', 'resigned', 'out_of_time'] as const)(
    'who is an admin and %s rules on the page of the admins',
    async (status) => {
      open(makeBet({ ...DISPUTED, arbiter: arbiter(status, user.id), actions: ['rule'], turn: 'rule' }));
      expect(await screen.findByRole('link', { name: 'Rule on This Bet' })).toHaveAttribute('href', '/admin');
      expect(await screen.findAllByText('The arbiter accepted')).toHaveLength(1);
      expect(screen.queryByRole('radio')).not.toBeInTheDocument();
    },
  );

  it('gives the task up after a question', async () => {
    open(makeBet({ arbiter: arbiter('accepted', user.id), actions: ['resign_arbitration'] }));
    const sent = onWrite('post', '/api/bets/bet-1/arbiter', () => HttpResponse.json(invited));
    await userEvent.click(await screen.findByRole('button', { name: 'Step Down' }));
    const dialog = await screen.findByRole('dialog');
    expect(sent).toEqual([]);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Step Down' }));
    expect(sent).toEqual([{ accept: false }]);
  });

  const disputed = makeBet({
    ...DISPUTED,
    arbiter: arbiter('accepted', user.id),
    actions: ['rule', 'resign_arbitration'],
    turn: 'rule',
  });

  it('rules with a note, beside the reason and the timeline', async () => {
    open(disputed);
    const sent = onWrite('post', '/api/bets/bet-1/rule', () => HttpResponse.json(disputed));
    expect(await screen.findByText('It was otherwise.')).toBeVisible();
    expect(await screen.findAllByText('The arbiter accepted')).toHaveLength(1);
    expect(
      screen.getByText(/Your turn: rule on this dispute; otherwise it goes to the admins/),
    ).toBeVisible();
    await userEvent.click(screen.getByRole('radio', { name: /It stays dry/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Rule' }));
    expect(await screen.findByText('A note is required')).toBeVisible();
    await userEvent.type(screen.getByRole('textbox', { name: /Note to both sides/ }), 'No snow fell.');
    await userEvent.click(screen.getByRole('button', { name: 'Rule' }));
    const dialog = await screen.findByRole('dialog');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Rule' }));
    expect(sent).toEqual([{ outcome: 'B', note: 'No snow fell.' }]);
  });

  it('finds the note again after the session has ended, but not after the ruling', async () => {
    const note = () => screen.findByRole('textbox', { name: /Note to both sides/ });
    const answers = [() => problem(401, 'unauthorized', 'Sign in.'), () => HttpResponse.json(disputed)];
    onWrite('post', '/api/bets/bet-1/rule', () => (answers.shift() ?? HttpResponse.error)());
    async function rule() {
      await userEvent.click(screen.getByRole('radio', { name: /It snows/ }));
      await userEvent.click(screen.getByRole('button', { name: 'Rule' }));
      await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Rule' }));
    }
    const first = open(disputed);
    await userEvent.type(await note(), 'Snow fell.');
    await rule();
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/auth'));
    first.unmount();
    const second = open(disputed);
    expect(await note()).toHaveValue('Snow fell.');
    await rule();
    expect(await screen.findByText('Ruling Saved')).toBeVisible();
    second.unmount();
    open(disputed);
    expect(await note()).toHaveValue('');
  });

  it('reads why a ruling was refused', async () => {
    open(disputed);
    onWrite('post', '/api/bets/bet-1/rule', () =>
      problem(409, 'arbiter_out_of_time', 'The arbiter’s time to rule is over. The admins rule now.'),
    );
    await userEvent.click(await screen.findByRole('radio', { name: /It snows/ }));
    await userEvent.type(screen.getByRole('textbox', { name: /Note to both sides/ }), 'Snow fell.');
    await userEvent.click(screen.getByRole('button', { name: 'Rule' }));
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Rule' }));
    expect(await screen.findByText('The arbiter’s time to rule is over. The admins rule now.')).toBeVisible();
  });
});

it('tells the parties of a dispute that the arbiter decides, and until when', async () => {
  const mine = { creatorId: user.id, creator: { username: 'me', email: 'me@example.com' } };
  open(makeBet({ ...DISPUTED, ...mine, arbiter: arbiter('accepted') }));
  // The page of a visitor, which shows first, has the sentence in another place.
  expect(await screen.findByText('The arbiter eve decides. The reason given:')).toBeVisible();
  expect(screen.getByText(/Waiting for eve to rule; otherwise it goes to the admins/)).toBeVisible();
});
