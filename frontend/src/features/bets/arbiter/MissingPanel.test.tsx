import { screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { openBetPage } from '../../../test/bet-page';
import { makeBet, user as me } from '../../../test/fixtures';

/** Code that loads beside the page loads only if `network.works`. */
const network = vi.hoisted(() => ({ works: false }));
vi.mock('../../../lib/prepared', async (original) => {
  const real = await original<typeof import('../../../lib/prepared')>();
  const prepared: typeof real.prepared = (load) =>
    real.prepared(async () => {
      if (network.works) return load();
      throw Object.assign(new Error('Loading chunk 7 failed.'), { name: 'ChunkLoadError' });
    });
  return { ...real, prepared };
});

const arbiter = { id: me.id, username: 'me', email: 'me@example.com', status: 'invited' } as const;

// Silences the log: React logs the error.
vi.spyOn(console, 'error').mockImplementation(() => {});
beforeEach(() => {
  network.works = false;
  // A reload has not helped.
  sessionStorage.setItem('bolts.reloaded-for-chunk', String(Date.now()));
});

/** Waits for the message in the place of the part. The rest of the page is as usual. */
async function expectMessage() {
  const again = await screen.findByRole('button', { name: 'Try again' });
  expect(again.closest('p')).toHaveTextContent(/^The server could not be reached/);
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Snow on Christmas Day');
  expect(document.title).toBe('Snow on Christmas Day · Bolts');
  return again;
}

it('an arbiter whose panel did not load can try again', async () => {
  const { user } = openBetPage(
    makeBet({ arbiter, turn: 'answer_invitation', actions: ['accept_arbitration', 'decline_arbitration'] }),
  );
  const again = await expectMessage();
  network.works = true;
  await user.click(again);
  expect(await screen.findByRole('heading', { name: 'You are invited to be the arbiter' })).toBeVisible();
  expect(again).not.toBeInTheDocument();
});

it('a user can take a bet only below the note about its arbiter, and can try again if the note did not load', async () => {
  const { user } = openBetPage(
    makeBet({ arbiter: { ...arbiter, id: 'u-eve', username: 'eve' }, actions: ['accept'] }),
  );
  const again = await expectMessage();
  expect(screen.queryByRole('button', { name: 'Take This Bet' })).not.toBeInTheDocument();
  network.works = true;
  await user.click(again);
  expect(await screen.findByRole('button', { name: 'Take This Bet' })).toBeVisible();
});
