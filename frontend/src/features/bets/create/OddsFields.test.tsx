import { screen, waitFor } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { saveDraft } from '../../../lib/draft';
import { makeBet, user as me } from '../../../test/fixtures';
import { renderApp } from '../../../test/render';
import { onWrite, problem } from '../../../test/server';
import { CreateBetForm } from './CreateBetForm';
import { EMPTY_BET } from './form';

const draft = {
  ...EMPTY_BET,
  title: 'Snow on Christmas',
  optionA: 'It snows',
  optionB: 'It stays dry',
  stakeAmount: '100',
};

/** The form with a complete bet of 100 Bolts. */
function open(change: Partial<typeof draft> = {}) {
  saveDraft(me.id, { ...draft, ...change });
  return renderApp(<CreateBetForm user={me} />).user;
}

async function submit(user: ReturnType<typeof open>) {
  await user.click(screen.getByRole('button', { name: 'In a week' }));
  await user.click(screen.getByRole('button', { name: 'Create Bet' }));
}

it('keeps even odds unless the user asks for others', async () => {
  const sent = onWrite('post', '/api/bets', () => HttpResponse.json(makeBet(), { status: 201 }));
  const user = open();
  expect(screen.queryByLabelText('Your odds')).not.toBeInTheDocument();
  await submit(user);
  await waitFor(() =>
    expect(sent).toEqual([expect.objectContaining({ stakeAmount: 100, opponentStake: 100 })]),
  );
});

it('takes the stake of the opponent, and shows the odds and what each side pays and wins', async () => {
  const sent = onWrite('post', '/api/bets', () => HttpResponse.json(makeBet(), { status: 201 }));
  const user = open();
  await user.click(screen.getByRole('button', { name: /^Other odds/ }));
  await user.type(screen.getByLabelText('Opponent’s stake'), '40');
  expect(screen.getByLabelText('Your odds')).toHaveValue('1.4');
  expect(screen.getByText('You stake 100 Bolts to win 40.')).toBeVisible();
  expect(screen.getByText('Your opponent stakes 40 Bolts to win 100.')).toBeVisible();
  expect(screen.getByText('You stake 100 Bolts · You get 140 · profit 40')).toBeVisible();
  await submit(user);
  await waitFor(() =>
    expect(sent).toEqual([expect.objectContaining({ stakeAmount: 100, opponentStake: 40 })]),
  );
});

it('offers the suggested odds of the own side, and takes them by one click', async () => {
  const sent = onWrite('post', '/api/bets', () => HttpResponse.json(makeBet(), { status: 201 }));
  const user = open({ suggestedOddsA: '4' });
  expect(screen.getByText('Suggested for your side: 4')).toBeVisible();
  await user.click(screen.getByRole('radio', { name: /^Side B|^Option B|It stays dry/ }));
  expect(screen.getByText('Suggested for your side: 1.33')).toBeVisible();
  expect(screen.getByLabelText('Your odds')).toHaveValue('');
  await user.click(screen.getByRole('button', { name: 'Use these odds' }));
  expect(screen.getByText('You stake 100 Bolts to win 33.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Use these odds' })).not.toBeInTheDocument();
  await submit(user);
  await waitFor(() =>
    expect(sent).toEqual([expect.objectContaining({ stakeAmount: 100, opponentStake: 33 })]),
  );
});

it('takes the odds, and follows a change of the own stake', async () => {
  const sent = onWrite('post', '/api/bets', () => HttpResponse.json(makeBet(), { status: 201 }));
  const user = open();
  await user.click(screen.getByRole('button', { name: /^Other odds/ }));
  await user.type(screen.getByLabelText('Your odds'), '3.5');
  expect(screen.getByLabelText('Opponent’s stake')).toHaveValue('250');
  await user.clear(screen.getByLabelText('Stake'));
  await user.type(screen.getByLabelText('Stake'), '40');
  expect(screen.getByLabelText('Opponent’s stake')).toHaveValue('100');
  expect(screen.getByText('You stake 40 Bolts to win 100.')).toBeVisible();
  await submit(user);
  await waitFor(() =>
    expect(sent).toEqual([expect.objectContaining({ stakeAmount: 40, opponentStake: 100 })]),
  );
});

it('lets the field that the user typed last decide', async () => {
  const user = open();
  await user.click(screen.getByRole('button', { name: /^Other odds/ }));
  await user.type(screen.getByLabelText('Your odds'), '3.5');
  await user.clear(screen.getByLabelText('Opponent’s stake'));
  await user.type(screen.getByLabelText('Opponent’s stake'), '50');
  expect(screen.getByLabelText('Your odds')).toHaveValue('1.5');
  await user.clear(screen.getByLabelText('Your odds'));
  expect(screen.getByLabelText('Opponent’s stake')).toHaveValue('');
  expect(screen.getByText('You stake 100 Bolts to win 100.')).toBeVisible();
});

it('says at the field which stakes are possible, and sends nothing', async () => {
  const sent = onWrite('post', '/api/bets', () => HttpResponse.json({}));
  const user = open();
  await user.click(screen.getByRole('button', { name: /^Other odds/ }));
  await user.type(screen.getByLabelText('Opponent’s stake'), '10001');
  await submit(user);
  await waitFor(() =>
    expect(screen.getByLabelText('Opponent’s stake')).toHaveAccessibleDescription(
      /Against 100 Bolts, the opponent can stake from 1 to 10,000\./,
    ),
  );
  expect(sent).toEqual([]);
});

it('shows the server’s words at the field', async () => {
  onWrite('post', '/api/bets', () =>
    problem(422, 'invalid_fields', 'Some fields need another look.', [
      { field: 'opponentStake', message: 'Not against this stake.' },
    ]),
  );
  const user = open({ opponentStake: '40' });
  await submit(user);
  await waitFor(() =>
    expect(screen.getByLabelText('Opponent’s stake')).toHaveAccessibleDescription(/Not against this stake\./),
  );
});
