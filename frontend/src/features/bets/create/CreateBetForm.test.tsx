import { screen, waitFor, within } from '@testing-library/react';
import type userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { replaceDraft, saveDraft } from '../../../lib/draft';
import { makeBet, user as me } from '../../../test/fixtures';
import { renderApp } from '../../../test/render';
import { onWrite, problem, server } from '../../../test/server';
import { CreateBetForm } from './CreateBetForm';
import { EMPTY_BET } from './form';

const DRAFT = `bolts.bet-draft.${me.id}`;

type Typist = ReturnType<typeof userEvent.setup>;
const toast = () => screen.getAllByRole('status').at(-1);

async function fill(user: Typist) {
  await user.type(screen.getByLabelText('Title'), 'Snow on Christmas');
  await user.type(screen.getByLabelText('Option A', { selector: 'input[name="optionA"]' }), 'It snows');
  await user.type(screen.getByLabelText('Option B', { selector: 'input[name="optionB"]' }), 'It stays dry');
  await user.type(screen.getByLabelText('Stake'), '200');
}

/** Picks a day of the next month, because such a day is always in the future. */
async function pickDate(user: Typist) {
  await user.click(screen.getByLabelText('Expiry date'));
  await user.click(await screen.findByRole('button', { name: /next month/i }, { timeout: 30_000 }));
  const days = within(screen.getByRole('grid')).getAllByRole('button');
  await user.click(days[14] as HTMLElement);
}

const submit = (user: Typist) => user.click(screen.getByRole('button', { name: 'Create Bet' }));

describe('create bet', () => {
  it('shows field errors, focuses the first wrong field and sends nothing', async () => {
    const sent = onWrite('post', '/api/bets', () => HttpResponse.json({}));
    // A draft of an older version may have no method.
    saveDraft(me.id, { ...EMPTY_BET, resolutionMethod: '' });
    const { user } = renderApp(<CreateBetForm user={me} />);
    await submit(user);
    expect(await screen.findByText('Title must be at least 5 characters')).toBeVisible();
    expect(screen.getByText('Resolution method is required')).toBeVisible();
    await waitFor(() => expect(screen.getByLabelText('Title')).toHaveFocus());
    expect(sent).toEqual([]);
  });

  it('keeps the unfinished bet that a rematch replaces, and leads back to it', async () => {
    saveDraft(me.id, { ...EMPTY_BET, title: 'My own bet', stakeAmount: '7' }, EMPTY_BET);
    replaceDraft(me.id, { title: 'Once more?', stakeAmount: '200' });
    const { user } = renderApp(<CreateBetForm user={me} />);
    expect(screen.getByLabelText('Title')).toHaveValue('Once more?');
    expect(screen.getByText('Your unfinished bet “My own bet” is kept for later.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Go back to it' }));
    expect(screen.getByLabelText('Title')).toHaveValue('My own bet');
    expect(screen.getByLabelText('Stake')).toHaveValue('7');
    expect(screen.queryByText(/is kept for later/)).toBeNull();
  });

  it('asks for date and time once everything else is right', async () => {
    const { user } = renderApp(<CreateBetForm user={me} />);
    await fill(user);
    await submit(user);
    await waitFor(() => expect(toast()).toHaveTextContent('Expiry Date & Time Required'));
    expect(screen.getAllByText('Expiry date is required').length).toBeGreaterThan(0);
  });

  it('says of a missing time that the time is missing', async () => {
    const { user } = renderApp(<CreateBetForm user={me} />);
    await fill(user);
    await pickDate(user);
    await submit(user);
    const time = screen.getByLabelText('Expiry time');
    await waitFor(() => expect(time).toHaveAccessibleDescription(/Expiry time is required/));
    await waitFor(() => expect(time).toHaveFocus());
    await waitFor(() => expect(toast()).toHaveTextContent('Choose the time at which the bet expires.'));
    expect(screen.queryByText('Expiry date is required')).not.toBeInTheDocument();
  });

  it('takes a stake as the pages write it', async () => {
    const sent = onWrite('post', '/api/bets', () => HttpResponse.json(makeBet(), { status: 201 }));
    const { user } = renderApp(<CreateBetForm user={me} />);
    await fill(user);
    await user.clear(screen.getByLabelText('Stake'));
    await user.type(screen.getByLabelText('Stake'), '1,000');
    expect(screen.getByText('You stake 1,000 Bolts · You get 2,000 · profit 1,000')).toBeVisible();
    await pickDate(user);
    await user.click(screen.getByRole('button', { name: '3:00 PM' }));
    await submit(user);
    await waitFor(() => expect(sent).toEqual([expect.objectContaining({ stakeAmount: 1000 })]));
  });

  it('says at the stake what is missing, and how to get it', async () => {
    const { user } = renderApp(<CreateBetForm user={me} />);
    const stake = screen.getByLabelText('Stake');
    await user.type(stake, '1000');
    expect(screen.queryByText(/Missing: /)).not.toBeInTheDocument();
    await user.type(stake, '0');
    expect(stake).toHaveAccessibleDescription(
      /You need 10,000 Bolts but only have 1,000 Bolts\. Missing: 9,000 Bolts\./,
    );
    expect(stake).toBeInvalid();
    expect(screen.getByRole('link', { name: 'Get more Bolts with achievements' })).toBeVisible();
    await user.clear(stake);
    await user.type(stake, '200');
    await user.click(screen.getByRole('radio', { name: /Bitcoin Sats/ }));
    expect(screen.getByText('You need 200 Sats but only have 50 Sats. Missing: 150 Sats.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Deposit sats' })).toHaveAttribute('href', '/account?deposit');
    await user.click(screen.getByRole('button', { name: 'Practise with Bolts' }));
    expect(screen.getByRole('radio', { name: /^Bolts/ })).toBeChecked();
    expect(screen.queryByText(/Missing: /)).not.toBeInTheDocument();
  });

  it('shows a chosen hour that has passed as no longer offered', async () => {
    saveDraft(me.id, { ...EMPTY_BET, expiryDate: '2026-01-02', expiryHour: '15' });
    renderApp(<CreateBetForm user={me} />);
    const time = screen.getByLabelText('Expiry time');
    expect(time).toHaveValue('15');
    expect(time).toHaveDisplayValue('3:00 PM (no longer offered)');
  });

  it('needs three typed fields and a click each for stake and date', async () => {
    const sent = onWrite('post', '/api/bets', () => HttpResponse.json(makeBet(), { status: 201 }));
    const { user } = renderApp(<CreateBetForm user={me} />);
    await user.type(screen.getByLabelText('Title'), 'Snow on Christmas');
    await user.type(screen.getByLabelText('Option A', { selector: 'input[name="optionA"]' }), 'It snows');
    await user.type(screen.getByLabelText('Option B', { selector: 'input[name="optionB"]' }), 'It stays dry');
    await user.click(screen.getByRole('button', { name: '100' }));
    await user.click(screen.getByRole('button', { name: 'In a week' }));
    await submit(user);
    await waitFor(() =>
      expect(sent).toEqual([
        expect.objectContaining({ stakeAmount: 100, resolutionMethod: 'Mutual Agreement', isPublic: true }),
      ]),
    );
  });

  it('offers usual stakes up to the balance, and the whole balance', async () => {
    const { user } = renderApp(<CreateBetForm user={{ ...me, boltsBalance: 150 }} />);
    const picks = () =>
      within(screen.getByRole('group', { name: 'Usual stakes' }))
        .getAllByRole('button')
        .map((pick) => [pick.textContent, pick.hasAttribute('disabled')]);
    expect(picks()).toEqual([
      ['10', false],
      ['50', false],
      ['100', false],
      ['250', true],
      ['Max', false],
    ]);
    await user.click(screen.getByRole('button', { name: 'Max' }));
    expect(screen.getByLabelText('Stake')).toHaveValue('150');
    expect(screen.getByRole('button', { name: 'Max' })).toHaveAttribute('aria-pressed', 'true');
    await user.click(screen.getByRole('radio', { name: /Bitcoin Sats/ }));
    // 50 sats are less than the smallest stake.
    expect(picks().every(([, disabled]) => disabled)).toBe(true);
  });

  it('folds what most bets do not need, and shows it where it has a value', async () => {
    const first = renderApp(<CreateBetForm user={me} />);
    expect(screen.queryByLabelText(/^Description/)).not.toBeInTheDocument();
    expect(screen.queryByRole('radio', { name: /Manual Verification/ })).not.toBeInTheDocument();
    await first.user.click(screen.getByRole('button', { name: /^Description and category/ }));
    const description = screen.getByLabelText(/^Description/);
    await first.user.type(description, 'x{Backspace}');
    expect(description).toHaveFocus();
    first.unmount();
    saveDraft(me.id, { ...EMPTY_BET, resolutionMethod: 'Manual Verification' });
    renderApp(<CreateBetForm user={me} />);
    expect(screen.getByRole('radio', { name: /Manual Verification/ })).toBeChecked();
  });

  it('has quick picks of the hour', async () => {
    const { user } = renderApp(<CreateBetForm user={me} />);
    const picks = within(screen.getByRole('group', { name: 'Quick picks' })).getAllByRole('button');
    expect(picks.map((pick) => pick.textContent)).toEqual([
      '9:00 AM',
      '12:00 PM',
      '3:00 PM',
      '6:00 PM',
      '9:00 PM',
    ]);
    await user.click(picks[4] as HTMLElement);
    await waitFor(() => expect(screen.getByLabelText('Expiry time')).toHaveValue('21'));
  });

  it('says what is at stake before the button', async () => {
    const { user } = renderApp(<CreateBetForm user={me} />);
    await user.type(screen.getByLabelText('Stake'), '5 000');
    await waitFor(() =>
      expect(screen.getByText('You stake 5,000 Bolts · You get 10,000 · profit 5,000')).toBeVisible(),
    );
    await user.click(screen.getByRole('radio', { name: /Bitcoin Sats/ }));
    await waitFor(() =>
      expect(screen.getByText('You stake 5,000 Sats · You get 10,000 · profit 5,000')).toBeVisible(),
    );
  });

  it('sends the bet once, forgets the draft and goes to it', async () => {
    const sent = onWrite('post', '/api/bets', () =>
      HttpResponse.json(makeBet({ id: 'new-1' }), { status: 201 }),
    );
    const { user } = renderApp(<CreateBetForm user={me} />);
    await fill(user);
    await pickDate(user);
    await user.click(screen.getByRole('button', { name: '3:00 PM' }));
    await submit(user);
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/bet/new-1'));
    await waitFor(() =>
      expect(toast()).toHaveTextContent(
        'Public Bet Created!Your bet has been published and is now available for others to accept.',
      ),
    );
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      title: 'Snow on Christmas',
      stakeAmount: 200,
      creatorOption: 'A',
      isPublic: true,
    });
    expect(sessionStorage.getItem(DRAFT)).toBeNull();
  });

  it('goes to a private bet by its share token, and says which link to share', async () => {
    const sent = onWrite('post', '/api/bets', () =>
      HttpResponse.json(makeBet({ id: 'new-2', isPrivate: true, shareToken: 'tok' }), { status: 201 }),
    );
    const { user } = renderApp(<CreateBetForm user={me} />);
    await fill(user);
    await user.click(screen.getByRole('radio', { name: /^Option B/ }));
    await user.click(screen.getByRole('switch', { name: /^Private bet/ }));
    await pickDate(user);
    await user.click(screen.getByRole('button', { name: '3:00 PM' }));
    await submit(user);
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/bet/tok'));
    await waitFor(() =>
      expect(toast()).toHaveTextContent('Private Bet Created!Share this link: http://bolts.test/bet/tok'),
    );
    expect(sent).toEqual([expect.objectContaining({ creatorOption: 'B', isPrivate: true, isPublic: false })]);
  });

  it('keeps the form when the server refuses, with its words on the field', async () => {
    onWrite('post', '/api/bets', () =>
      problem(422, 'invalid', 'Check the form.', [{ field: 'title', message: 'Not this title' }]),
    );
    const { user } = renderApp(<CreateBetForm user={me} />);
    await fill(user);
    await pickDate(user);
    await user.click(screen.getByRole('button', { name: '3:00 PM' }));
    await submit(user);
    expect(await screen.findByText('Not this title')).toBeVisible();
    await waitFor(() => expect(toast()).toHaveTextContent('ErrorCheck the form.'));
    expect(screen.getByLabelText('Title')).toHaveValue('Snow on Christmas');
  });

  it('keeps the form when the server fails without a word', async () => {
    onWrite('post', '/api/bets', () => HttpResponse.json({}, { status: 500 }));
    const { user } = renderApp(<CreateBetForm user={me} />);
    await fill(user);
    await pickDate(user);
    await user.click(screen.getByRole('button', { name: '3:00 PM' }));
    await submit(user);
    await waitFor(() => expect(toast()).toHaveTextContent('ErrorFailed to create bet. Please try again.'));
    expect(screen.getByLabelText('Title')).toHaveValue('Snow on Christmas');
  });

  it('brings a half-written bet back after a reload, and drops it on Cancel', async () => {
    const first = renderApp(<CreateBetForm user={me} />);
    await first.user.type(screen.getByLabelText('Title'), 'Half of a');
    first.unmount();
    const second = renderApp(<CreateBetForm user={me} />);
    expect(screen.getByLabelText('Title')).toHaveValue('Half of a');
    await second.user.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/dashboard'));
    second.unmount();
    renderApp(<CreateBetForm user={me} />);
    expect(screen.getByLabelText('Title')).toHaveValue('');
  });

  it('is the same order after a reload that took its answer, although the balance lacks its stake now', async () => {
    const orders: { key: string | null; body: string }[] = [];
    server.use(
      http.post('/api/bets', async ({ request }) => {
        orders.push({ key: request.headers.get('Idempotency-Key'), body: await request.text() });
        return orders.length === 1 ? HttpResponse.error() : HttpResponse.json(makeBet(), { status: 201 });
      }),
    );
    const first = renderApp(<CreateBetForm user={me} />);
    await fill(first.user);
    await pickDate(first.user);
    await first.user.click(screen.getByRole('button', { name: '3:00 PM' }));
    await submit(first.user);
    await waitFor(() => expect(toast()).toHaveTextContent('The server could not be reached.'));
    first.unmount();
    const second = renderApp(<CreateBetForm user={{ ...me, boltsBalance: 0 }} />);
    await submit(second.user);
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/bet/bet-1'));
    expect(orders).toHaveLength(2);
    expect(orders[1]).toEqual(orders[0]);
  });

  it('leads to the sign-in and back when the session has ended', async () => {
    onWrite('post', '/api/bets', () => problem(401, 'unauthorized', 'Sign in.'));
    const { user } = renderApp(<CreateBetForm user={me} />, '/create-bet');
    await fill(user);
    await pickDate(user);
    await user.click(screen.getByRole('button', { name: '3:00 PM' }));
    await submit(user);
    await waitFor(() =>
      expect(toast()).toHaveTextContent('UnauthorizedYou are logged out. Logging in again...'),
    );
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/auth?next=%2Fcreate-bet'));
    expect(sessionStorage.getItem(DRAFT)).toContain('Snow on Christmas');
  });
});
