import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { makeBet, user } from '../../test/fixtures';
import { renderApp } from '../../test/render';
import { onGet } from '../../test/server';
import ToRule from './components/ToRule';

const me = { id: user.id, username: 'me', email: 'me@example.com' };

it('lists open bets of the arbiter, disputes first', async () => {
  onGet('/api/bets/arbitrated', [
    makeBet({ id: 'quiet', title: 'Quiet', arbiter: { ...me, status: 'accepted' } }),
    makeBet({
      id: 'asked',
      title: 'Asked',
      arbiter: { ...me, status: 'invited' },
      turn: 'answer_invitation',
    }),
    makeBet({ id: 'over', title: 'Over', status: 'resolved', arbiter: { ...me, status: 'accepted' } }),
    makeBet({
      id: 'disputed',
      title: 'Disputed',
      status: 'awaiting_resolution',
      arbiter: { ...me, status: 'accepted' },
      arbiterDeadline: '2099-01-05T12:00:00Z',
      turn: 'rule',
    }),
  ]);
  renderApp(<ToRule />, '/portfolio');
  const rows = within(await screen.findByRole('list')).getAllByRole('listitem');
  expect(rows.map((row) => within(row).getByRole('link').textContent)).toEqual([
    'Disputed',
    'Asked',
    'Quiet',
  ]);
  expect(rows[0]).toHaveTextContent('Disputed: rule until');
  expect(rows[1]).toHaveTextContent('Waits for your answer');
  expect(rows[2]).toHaveTextContent('You rule if they disagree');
});
