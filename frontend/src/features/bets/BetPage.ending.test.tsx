import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import type { Bet, BetAction } from '../../api/types';
import { mine, openBetPage, takenByBob, takenByMe } from '../../test/bet-page';
import { holdClock } from '../../test/clock';
import { makeBet, user } from '../../test/fixtures';
import { onWrite, problem, server } from '../../test/server';

describe('the end of a bet', () => {
  const settled = {
    ...mine,
    ...takenByBob,
    status: 'resolved',
    settledBy: 'agreement',
    winningOption: 'A',
  } as const;
  const ending = () => screen.findByRole('region', { name: 'The end of this bet' });

  it('shows a winner the win, the balance and a rematch', async () => {
    const view = openBetPage(makeBet({ ...settled, actions: [], winnerId: user.id }));
    const end = await ending();
    expect(end).toHaveTextContent('You won!+200 BoltsBoth sides agreed.Your balance is now 1,000 Bolts.');
    await view.user.click(within(end).getByRole('button', { name: 'Rematch' }));
    expect(screen.getByTestId('address')).toHaveTextContent('/create-bet');
    const draft = JSON.parse(sessionStorage.getItem(`bolts.bet-draft.${user.id}`) ?? 'null');
    expect(draft).toMatchObject({ title: 'Snow on Christmas Day', creatorOption: 'A', stakeAmount: '200' });
  });

  it('tells a loser plainly', async () => {
    openBetPage(makeBet({ ...settled, actions: [], winnerId: 'u-bob', winningOption: 'B' }));
    expect(await ending()).toHaveTextContent('This one goes to bob.−200 Bolts');
  });

  it('tells both that the stakes are back after a void', async () => {
    openBetPage(makeBet({ ...mine, ...takenByBob, status: 'cancelled', cancelReason: 'void' }));
    expect(await ending()).toHaveTextContent(
      'No winnerThis bet is void.Your stake of 200 Bolts is back in your balance.Your balance',
    );
  });

  it('offers no rematch of a bet that nobody took', async () => {
    openBetPage(makeBet({ ...mine, status: 'cancelled', cancelReason: 'expired' }));
    expect(within(await ending()).queryByRole('button')).not.toBeInTheDocument();
  });
});

describe('resolution', () => {
  it('proposes the chosen outcome and needs one', async () => {
    const sent = onWrite('post', '/api/bets/bet-1/propose-resolution', () =>
      // The title of the toast depends on the method of the bet, and not on this text.
      HttpResponse.json({ message: 'Not under Manual Verification: bob was asked.', bet: makeBet() }),
    );
    const view = openBetPage(makeBet({ ...mine, ...takenByBob, status: 'accepted', actions: ['propose'] }));
    await view.user.click(await screen.findByRole('button', { name: 'Propose Outcome' }));
    await waitFor(() => expect(screen.getByText('Choose an outcome first')).toBeVisible());
    await waitFor(() => expect(screen.getByRole('radio', { name: 'It snows' })).toHaveFocus());
    await view.user.click(screen.getByRole('radio', { name: 'It stays dry' }));
    await view.user.click(screen.getByRole('button', { name: 'Propose Outcome' }));
    await waitFor(() => expect(sent).toEqual([{ winningOption: 'B' }]));
    expect(await screen.findByText('Resolution Proposed')).toBeVisible();
  });

  it('says that a Manual Verification bet is resolved at once, whatever the text of the server', async () => {
    onWrite('post', '/api/bets/bet-1/propose-resolution', () =>
      HttpResponse.json({ message: 'The declared outcome is final.', bet: makeBet() }),
    );
    const view = openBetPage(
      makeBet({
        ...mine,
        ...takenByBob,
        status: 'awaiting_resolution',
        resolutionMethod: 'Manual Verification',
        actions: ['propose'],
      }),
    );
    await view.user.click(await screen.findByRole('radio', { name: /Void/ }));
    await view.user.click(screen.getByRole('button', { name: 'Declare Outcome' }));
    await view.user.click(
      within(screen.getByRole('dialog')).getByRole('button', { name: 'Declare Outcome' }),
    );
    expect(await screen.findByText('Bet Resolved')).toBeVisible();
  });

  it.each([
    ['It snows', 'Outcome: It snows. You get 400 Bolts. bob loses the stake of 200 Bolts.'],
    ['It stays dry', 'Outcome: It stays dry. bob gets 400 Bolts. You lose your stake of 200 Bolts.'],
    ['Void', 'Outcome: void. Each stake goes back. You get back 200 Bolts. bob gets back 200 Bolts.'],
  ])('asks once more before a declaration, and names who gets what: %s', async (choice, words) => {
    const sent = onWrite('post', '/api/bets/bet-1/propose-resolution', () =>
      HttpResponse.json({ message: 'Settled by Manual Verification.', bet: makeBet() }),
    );
    const manual = { resolutionMethod: 'Manual Verification' } as const;
    const actions: BetAction[] = ['propose'];
    const view = openBetPage(
      makeBet({ ...mine, ...takenByBob, ...manual, status: 'awaiting_resolution', actions }),
    );
    await view.user.click(await screen.findByRole('radio', { name: new RegExp(`^${choice}`) }));
    await view.user.click(screen.getByRole('button', { name: 'Declare Outcome' }));
    const dialog = screen.getByRole('dialog', { name: 'Declare this outcome?' });
    expect(dialog).toHaveTextContent(`${words} This settles the bet at once and is final.`);
    expect(sent).toEqual([]);
    await view.user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(sent).toEqual([]);
  });

  it('says before a Manual Verification bet is ended early that the declaration is final', async () => {
    const manual = { resolutionMethod: 'Manual Verification' } as const;
    const view = openBetPage(
      makeBet({ ...mine, ...takenByBob, ...manual, status: 'accepted', actions: ['end_early'] }),
    );
    await view.user.click(await screen.findByRole('button', { name: 'End Bet Early' }));
    const dialog = screen.getByRole('dialog');
    expect(dialog).toHaveTextContent('Then you say who won. This settles the bet at once and is final.');
    expect(dialog).not.toHaveTextContent('the other side answers');
  });

  it('answers the proposal that was on screen', async () => {
    const sent = onWrite('post', '/api/bets/bet-1/respond-resolution', () => HttpResponse.json(makeBet()));
    const view = openBetPage(
      makeBet({
        ...takenByMe,
        status: 'awaiting_resolution',
        proposalId: 'p-7',
        proposedBy: 'u-ada',
        proposedWinningOption: 'B',
        actions: ['accept_proposal', 'reject_proposal', 'dispute'],
      }),
    );
    expect(await screen.findByText('If you accept, you get 400 Bolts.')).toBeVisible();
    await view.user.click(screen.getByRole('button', { name: 'Accept Outcome' }));
    const dialog = screen.getByRole('dialog', { name: 'Accept this outcome?' });
    expect(dialog).toHaveTextContent(
      'Outcome: It stays dry. You get 400 Bolts. ada loses the stake of 200 Bolts. This settles the bet at once and is final.',
    );
    expect(sent).toEqual([]);
    await view.user.click(within(dialog).getByRole('button', { name: 'Accept Outcome' }));
    await waitFor(() => expect(sent).toEqual([{ accept: true, proposalId: 'p-7' }]));
    expect(await screen.findByText('Response Submitted')).toBeVisible();
    expect(screen.getByText('You won 200 Bolts.')).toBeVisible();
  });

  it.each<[string, Partial<Bet>, string, string]>([
    ['creator', { ...mine, ...takenByBob }, 'u-bob', 'You can propose another outcome.'],
    ['acceptor', takenByMe, 'u-ada', 'ada can propose another outcome.'],
  ])('says who proposes next after the %s has rejected a proposal', async (_, parties, proposedBy, words) => {
    const sent = onWrite('post', '/api/bets/bet-1/respond-resolution', () => HttpResponse.json(makeBet()));
    const proposal = { proposalId: 'p-7', proposedBy, proposedWinningOption: 'B' } as const;
    const actions: BetAction[] = ['reject_proposal'];
    const view = openBetPage(makeBet({ ...parties, status: 'awaiting_resolution', ...proposal, actions }));
    await view.user.click(await screen.findByRole('button', { name: 'Reject Outcome' }));
    expect(await screen.findByText(words)).toBeVisible();
    expect(sent).toEqual([{ accept: false, proposalId: 'p-7' }]);
  });

  it.each([
    ['2026-03-01T12:00:00Z', 'bob can still accept it, which settles the bet without a ruling.'],
    [null, /^Waiting for bob to answer; otherwise the outcome stands.* and you get 400 Bolts\.$/],
  ])('says to who proposed what the other may do, disputed %j', async (disputedAt, words) => {
    const waiting = { waitsFor: ['acceptor'], next: { event: 'stand', at: '2099-01-04T00:00:00Z' } } as const;
    const proposal = { proposalId: 'p-7', proposedBy: user.id, proposedWinningOption: 'A' } as const;
    openBetPage(
      makeBet({
        ...mine,
        ...takenByBob,
        status: 'awaiting_resolution',
        ...proposal,
        ...waiting,
        waitsFor: [...waiting.waitsFor],
        disputedAt,
      }),
    );
    expect(await screen.findByText(words)).toBeVisible();
  });

  it('makes the acceptance of a disputed proposal a quiet button, because the bet waits for a ruling', async () => {
    openBetPage(
      makeBet({
        ...takenByMe,
        status: 'awaiting_resolution',
        proposalId: 'p-7',
        proposedBy: 'u-ada',
        proposedWinningOption: 'A',
        disputedAt: '2026-11-20T12:00:00Z',
        disputeReason: 'No snow.',
        actions: ['accept_proposal'],
        turn: null,
        waitsFor: ['admin'],
      }),
    );
    const accept = await screen.findByRole('button', { name: 'Accept Outcome' });
    expect(accept).not.toHaveClass('primary');
    expect(
      screen.getByText('You can still accept it, which settles the bet without a ruling.'),
    ).toBeVisible();
  });

  it('ends a bet early only after asking', async () => {
    const sent = onWrite('post', '/api/bets/bet-1/early-resolution', () => HttpResponse.json(makeBet()));
    const view = openBetPage(makeBet({ ...mine, ...takenByBob, status: 'accepted', actions: ['end_early'] }));
    await view.user.click(await screen.findByRole('button', { name: 'End Bet Early' }));
    expect(sent).toEqual([]);
    await view.user.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'End Bet Early' }),
    );
    expect(await screen.findByText('Early Resolution Initiated')).toBeVisible();
    expect(sent).toHaveLength(1);
  });

  it('sends a dispute with its reason', async () => {
    const sent = onWrite('post', '/api/bets/bet-1/dispute', () => HttpResponse.json(makeBet()));
    const view = openBetPage(makeBet({ ...takenByMe, status: 'awaiting_resolution', actions: ['dispute'] }));
    await view.user.click(await screen.findByRole('button', { name: 'Dispute' }));
    await view.user.click(await screen.findByRole('button', { name: 'Send Dispute' }));
    await waitFor(() => expect(screen.getByText('A reason is required')).toBeVisible());
    await waitFor(() => expect(screen.getByLabelText('Reason')).toHaveFocus());
    await view.user.type(screen.getByLabelText('Reason'), 'It did not snow');
    await view.user.click(screen.getByRole('button', { name: 'Send Dispute' }));
    await waitFor(() => expect(sent).toEqual([{ reason: 'It did not snow' }]));
    await waitFor(() => expect(JSON.stringify({ ...sessionStorage })).not.toContain('It did not snow'));
  });

  it('keeps the reason of a dispute when the dialog closes and when the session ends', async () => {
    onWrite('post', '/api/bets/bet-1/dispute', () => problem(401, 'unauthorized', 'Sign in.'));
    const disputable = makeBet({ ...takenByMe, status: 'awaiting_resolution', actions: ['dispute'] });
    const first = openBetPage(disputable);
    await first.user.click(await screen.findByRole('button', { name: 'Dispute' }));
    await first.user.type(await screen.findByLabelText('Reason'), 'It did not snow');
    await first.user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Close' }));
    await first.user.click(screen.getByRole('button', { name: 'Dispute' }));
    expect(await screen.findByLabelText('Reason')).toHaveValue('It did not snow');
    await first.user.click(screen.getByRole('button', { name: 'Send Dispute' }));
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/auth'));
    first.unmount();

    const second = openBetPage(disputable);
    await second.user.click(await screen.findByRole('button', { name: 'Dispute' }));
    expect(await screen.findByLabelText('Reason')).toHaveValue('It did not snow');
  });

  it('leaves strangers nothing to do with a live bet', async () => {
    openBetPage(makeBet({ ...takenByBob, status: 'accepted', actions: [] }));
    expect(await screen.findByText('LIVE', { selector: 'dd' })).toBeVisible();
    const names = () => screen.queryAllByRole('button').map((button) => button.textContent);
    await waitFor(() => expect(names()).toEqual(['Copy Share Link', 'Show QR code', 'Send']));
  });
});

describe('the buttons', () => {
  const resolution = {
    propose: 'Propose Outcome',
    accept_proposal: 'Accept Outcome',
    reject_proposal: 'Reject Outcome',
    dispute: 'Dispute',
  };
  const all = ['Take This Bet', 'Delete Bet', 'End Bet Early', 'Resolve Expired Bet'].concat(
    Object.values(resolution),
  );
  const proposed = {
    status: 'awaiting_resolution',
    proposalId: 'p-7',
    proposedBy: 'u-bob',
    proposedWinningOption: 'B',
  } as const;
  const live = { ...takenByBob, status: 'accepted' } as const;

  it.each<[BetAction | null, Partial<Bet>, string | null]>([
    ['accept', {}, 'Take This Bet'],
    [null, {}, null],
    ['delete', mine, 'Delete Bet'],
    [null, mine, null],
    ['end_early', { ...mine, ...live }, 'End Bet Early'],
    ['end_early', { ...takenByMe, status: 'accepted' }, 'Resolve Expired Bet'],
    ...Object.entries(resolution).map(([action, button]): [BetAction, Partial<Bet>, string] => [
      action as BetAction,
      { ...mine, ...takenByBob, ...proposed },
      button,
    ]),
    [null, { ...mine, ...takenByBob, ...proposed }, null],
  ])('of the bet page are those of the actions: %s', async (action, change, button) => {
    openBetPage(makeBet({ ...change, actions: action ? [action] : [] }));
    await screen.findByText('Created');
    const shown = () => all.filter((name) => screen.queryByRole('button', { name }));
    await waitFor(() => expect(shown()).toEqual(button ? [button] : []));
  });

  it.each<[string, Partial<Bet>]>([
    ['expiry', { expiresAt: 'soon' }],
    ["acceptor's turn", { acceptorMayProposeAt: 'soon' }],
  ])('follow the actions that the server gives from the %s', async (_, change) => {
    holdClock();
    const soon = new Date(Date.now() + 3000).toISOString();
    const instants = Object.fromEntries(Object.keys(change).map((name) => [name, soon]));
    let bet = makeBet({ ...takenByMe, status: 'awaiting_resolution', actions: [], ...instants });
    openBetPage(bet);
    server.use(http.get('/api/bets/:key', () => HttpResponse.json(bet)));
    await screen.findByText('Created');
    bet = { ...bet, actions: ['propose'] };
    expect(screen.queryByRole('button', { name: 'Propose Outcome' })).not.toBeInTheDocument();
    await vi.advanceTimersByTimeAsync(4500);
    expect(await screen.findByRole('button', { name: 'Propose Outcome' })).toBeVisible();
  });
});
