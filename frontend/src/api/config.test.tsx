import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import { BalancesCard } from '../features/account/components/OverviewCards';
import { CreateBetForm } from '../features/bets/create/CreateBetForm';
import { AmountForm } from '../features/wallet/components/AmountForm';
import { user } from '../test/fixtures';
import { held } from '../test/held';
import { renderApp } from '../test/render';
import { onGet, server } from '../test/server';
import { accountTexts } from '../texts/account';
import { createTexts } from '../texts/create';
import { depositTexts } from '../texts/wallet';

const { sats } = accountTexts.currencies;
const inForm = createTexts.currencies.sats;

it.each<[string, ReactNode, string, string]>([
  ['the balances', <BalancesCard key="1" user={user} />, sats.testNote, sats.note],
  ['the form of a bet', <CreateBetForm key="2" user={user} />, inForm.testDetail, inForm.detail],
  [
    'the form of a deposit',
    <AmountForm key="3" onInvoice={() => {}} onAdded={() => {}} />,
    depositTexts.testNote,
    depositTexts.realNote,
  ],
])('%s: sats are called neither real nor a test until that is known', async (_, content, test, real) => {
  onGet('/api/auth/user', user);
  const { released, release } = held();
  server.use(
    http.get('/api/config', async () => {
      await released;
      return HttpResponse.json({ isTestMode: true, withdrawalsPaused: false });
    }),
  );
  const { container } = renderApp(content);
  const place = await waitFor(() => {
    const found = container.querySelector('[data-words]');
    expect(found).not.toBeNull();
    return found;
  });
  expect(place).toHaveAttribute('data-words', test);
  expect(screen.queryByText(real)).not.toBeInTheDocument();
  expect(screen.queryByText(test)).not.toBeInTheDocument();
  release();
  expect(await screen.findByText(test)).toBeVisible();
  expect(container.querySelector('[data-words]')).toBeNull();
  expect(screen.queryByText(real)).not.toBeInTheDocument();
});
