import { screen } from '@testing-library/react';
import { lazy } from 'react';
import { expect, it, vi } from 'vitest';
import { openBetPage } from '../../../test/bet-page';
import { makeBet, user } from '../../../test/fixtures';

vi.mock('../components/Late', async (original) => {
  const missing = Object.assign(new Error('Loading chunk 7 failed.'), { name: 'ChunkLoadError' });
  return { ...(await original<object>()), ArbiterPanel: lazy(() => Promise.reject(missing)) };
});

it('an arbiter whose panel did not load can try again', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  // A reload has not helped.
  sessionStorage.setItem('bolts.reloaded-for-chunk', String(Date.now()));
  const arbiter = { id: user.id, username: 'me', email: 'me@example.com', status: 'invited' } as const;
  openBetPage(makeBet({ arbiter, turn: 'answer_invitation' }));
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible();
  expect(screen.getByText('This page could not be loaded')).toBeVisible();
  logged.mockRestore();
});
