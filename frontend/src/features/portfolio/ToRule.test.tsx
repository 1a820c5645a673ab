import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import type { Bet } from '../../api/types';
import { makeBet, user } from '../../test/fixtures';
import { renderApp } from '../../test/render';
import { onGet, server } from '../../test/server';
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

it('goes on to older pages until it finds an open bet', async () => {
  const ended = makeBet({
    id: 'over',
    title: 'Over',
    status: 'resolved',
    arbiter: { ...me, status: 'accepted' },
  });
  const open = makeBet({ id: 'open', title: 'Open', arbiter: { ...me, status: 'accepted' } });
  const pages = [[ended], [ended], [open], [ended]];
  const asked: number[] = [];
  server.use(
    http.get('/api/bets/arbitrated', ({ request }) => {
      const page = Number(new URL(request.url).searchParams.get('cursor') ?? 0);
      asked.push(page);
      const link = { Link: `</api/bets/arbitrated?cursor=${page + 1}>; rel="next"` };
      return HttpResponse.json(pages[page] as Bet[], { headers: page < 3 ? link : {} });
    }),
  );
  renderApp(<ToRule />, '/portfolio');
  expect(await screen.findByRole('link', { name: 'Open' })).toBeVisible();
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
  expect(new Set(asked)).toEqual(new Set([0, 1, 2]));
});
