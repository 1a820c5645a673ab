import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it } from 'vitest';
import type { AdminWallet, AdminWithdrawal } from '../../api/types';
import AdminPage from '../../pages/AdminPage';
import { makeWithdrawal, user as me } from '../../test/fixtures';
import { renderApp } from '../../test/render';
import { onGet, problem, server } from '../../test/server';

const wallet: AdminWallet = { isTestMode: true, pause: null, sendingStop: null, solvency: null, inDoubt: 0 };
const solvency = {
  at: '2026-03-01T12:00:00Z',
  liabilities: 5000,
  inFlight: 1010,
  holdings: 9000,
  stillPending: 0,
  withheld: 0,
  isCovered: true,
};
const payout: AdminWithdrawal = { userEmail: 'ada@example.com', attempts: 1, withdrawal: makeWithdrawal() };

beforeEach(() => {
  onGet('/api/auth/user', { ...me, isAdmin: true });
  for (const list of ['disputes', 'bets', 'actions', 'withdrawals']) onGet(`/api/admin/${list}`, []);
});

async function shown(change: Partial<AdminWallet>) {
  onGet('/api/admin/wallet', { ...wallet, ...change });
  renderApp(<AdminPage />, '/admin');
  await screen.findByText('Solvency');
  return screen.getByRole('region', { name: 'Lightning Wallet' });
}

it('says in which mode the wallet is, and that nothing is wrong', async () => {
  const card = await shown({ solvency });
  expect(card).toHaveTextContent('Test sats, no money');
  expect(card).toHaveTextContent('Running');
  expect(card).toHaveTextContent('In doubtNone');
  expect(card).toHaveTextContent('SolvencyCovered');
  expect(card).toHaveTextContent('Owed to users5,000 Sats');
  expect(card).toHaveTextContent('Provider holds9,000 Sats');
  expect(card).toHaveTextContent('On its way out1,010 Sats');
  expect(card).not.toHaveTextContent('still pending');
});

it.each([
  [1, 'for 1 refunded withdrawal. “bolts withdrawals list” names it.'],
  [2, 'for 2 refunded withdrawals. “bolts withdrawals list” names them.'],
])('tells what the provider withholds for %i refunded withdrawals', async (stillPending, words) => {
  const card = await shown({ solvency: { ...solvency, stillPending, withheld: 909 } });
  expect(card).toHaveTextContent('Refunded, still pending at the provider909 Sats');
  expect(card).toHaveTextContent(words);
});

it('says why and since when withdrawals wait', async () => {
  const sendingStop = { reason: 'it did not answer in time', at: '2026-03-01T12:00:00Z' };
  const card = await shown({ sendingStop });
  expect(card).toHaveTextContent(
    /go on once it answers. On hold since Mar 1, 2026.*it did not answer in time/,
  );
});

it('says why and since when withdrawals are paused, and what the operator can do', async () => {
  const pause = { reason: 'The provider holds too little.', at: '2026-03-01T12:00:00Z' };
  const card = await shown({
    isTestMode: false,
    pause,
    inDoubt: 2,
    solvency: { ...solvency, holdings: 100, isCovered: false },
  });
  expect(card).toHaveTextContent('Real Bitcoin');
  expect(card).toHaveTextContent(/Paused since Mar 1, 2026.*The provider holds too little\./);
  expect(card).toHaveTextContent('bolts withdrawals resume');
  expect(card).toHaveTextContent(/In doubt2.*bolts withdrawals settle/);
  expect(card).toHaveTextContent('Not covered');
});

it.each([
  [null, 'Not checked yet'],
  [{ ...solvency, holdings: null, isCovered: null }, 'the provider did not say what it holds'],
])('does not claim what nobody knows (%j)', async (given, words) => {
  expect(await shown({ solvency: given })).toHaveTextContent(words);
});

it('tells that the wallet could not be loaded', async () => {
  server.use(http.get('/api/admin/wallet', () => problem(503, 'unavailable', 'x')));
  renderApp(<AdminPage />, '/admin');
  expect(await screen.findByText('The wallet could not be loaded.')).toBeVisible();
});

it('lists withdrawals with their users, and those of one status', async () => {
  const refunded = makeWithdrawal({ id: 'w-2', status: 'refunded', refundReason: 'No route.' });
  server.use(
    http.get('/api/admin/withdrawals', ({ request }) => {
      const status = new URL(request.url).searchParams.get('withdrawalStatus');
      const all = [payout, { ...payout, attempts: 0, withdrawal: refunded }];
      return HttpResponse.json(all.filter(({ withdrawal }) => !status || withdrawal.status === status));
    }),
  );
  onGet('/api/admin/wallet', wallet);
  const { user } = renderApp(<AdminPage />, '/admin');
  const list = within(await screen.findByRole('region', { name: 'All Withdrawals' }));
  const entries = async () => (await list.findAllByRole('listitem')).map((item) => item.textContent);
  expect(await entries()).toEqual([
    expect.stringMatching(/ada@example\.com1,000 SatsBEING SENT.*fee at most 10 Sats.*sent once.*w-1/),
    expect.stringMatching(/ada@example\.com1,000 SatsREFUNDED.*not sent.*No route\.w-2/),
  ]);
  await user.selectOptions(list.getByLabelText('Status'), 'REFUNDED');
  await screen.findByText('No route.');
  expect(await entries()).toEqual([expect.stringMatching(/w-2$/)]);
});
