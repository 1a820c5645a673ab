import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it } from 'vitest';
import { user as me, stats } from '../../test/fixtures';
import { renderApp } from '../../test/render';
import { onGet, onWrite, problem, server } from '../../test/server';
import { Welcome } from '.';

const newcomer = { ...me, username: null };
const SLOW = { timeout: 30_000 };
const ideas = () => screen.findByRole('region', { name: 'Make your first bet' }, SLOW);

beforeEach(() => {
  localStorage.clear();
  onGet('/api/auth/user', newcomer);
  onGet('/api/users/stats', { ...stats, totalBets: 0 });
});

it('offers three ideas, and one of them fills the form of a bet', async () => {
  const { user } = renderApp(<Welcome user={newcomer} />, '/portfolio');
  expect(within(await ideas()).getAllByRole('listitem')).toHaveLength(3);
  await user.click(screen.getByRole('button', { name: /Will it rain/ }));
  await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/create-bet'));
  const draft = JSON.parse(sessionStorage.getItem(`bolts.bet-draft.${me.id}`) ?? 'null');
  expect(draft).toMatchObject({
    title: 'Will it rain where we live this Sunday?',
    category: 'Weather',
    stakeAmount: '100',
    resolutionMethod: 'Mutual Agreement',
    expiryHour: '21',
  });
  expect(new Date(`${draft.expiryDate}T00:00:00Z`).getUTCDay()).toBe(0);
});

it('asks for a username once', async () => {
  const sent = onWrite('patch', '/api/auth/profile', () => HttpResponse.json({ ...me, username: 'ada' }));
  const first = renderApp(<Welcome user={newcomer} />);
  await first.user.type(await screen.findByLabelText('Username', {}, SLOW), 'ada');
  await first.user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Hello, ada')).toBeVisible();
  expect(sent).toEqual([{ username: 'ada', firstName: '', lastName: '' }]);
  expect(screen.queryByLabelText('Username')).not.toBeInTheDocument();
  first.unmount();
  renderApp(<Welcome user={newcomer} />);
  await ideas();
  expect(screen.queryByLabelText('Username')).not.toBeInTheDocument();
});

it('says that a username is taken, beside it', async () => {
  onWrite('patch', '/api/auth/profile', () => problem(409, 'username_taken', 'This one is already taken.'));
  const { user } = renderApp(<Welcome user={newcomer} />);
  const field = await screen.findByLabelText('Username', {}, SLOW);
  await user.type(field, 'ada');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(field).toHaveAccessibleDescription(/already taken/));
});

it('lets both be skipped for good', async () => {
  const first = renderApp(<Welcome user={newcomer} />);
  await ideas();
  await first.user.click(screen.getByRole('button', { name: 'Not now' }));
  await first.user.click(screen.getByRole('button', { name: 'Hide these ideas' }));
  expect(screen.queryByRole('region')).not.toBeInTheDocument();
  first.unmount();
  // Another user of the same browser is still asked.
  renderApp(<Welcome user={{ ...newcomer, id: 'u-other' }} />);
  await ideas();
  expect(screen.getByLabelText('Username')).toBeVisible();
});

it('shows nothing to a user with bets', async () => {
  let asked = false;
  server.use(
    http.get('/api/users/stats', () => {
      asked = true;
      return HttpResponse.json({ ...stats, totalBets: 1 });
    }),
  );
  renderApp(<Welcome user={newcomer} />);
  await waitFor(() => expect(asked).toBe(true));
  expect(screen.queryByRole('region')).not.toBeInTheDocument();
});
