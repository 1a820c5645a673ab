import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useSession } from '../../api/session';
import type { Achievement } from '../../api/types';
import { holdClock } from '../../test/clock';
import { makeAchievement, user } from '../../test/fixtures';
import { renderApp } from '../../test/render';
import { onGet, onWrite, problem, server } from '../../test/server';
import { Dialog } from '../../ui/Dialog';
import { AchievementWatch } from './components/AchievementWatch';

const STORED = `bolts.achievements-shown.${user.id}`;
const unlockedAt = '2026-01-02T00:00:00Z';
const first = makeAchievement({ unlockedAt });
const second = makeAchievement({
  unlockedAt,
  definition: {
    id: 'whale',
    name: 'Whale Status',
    rarity: 'legendary',
    reward: { bolts: 10_000, sats: null, title: 'Whale' },
  },
});
const locked = makeAchievement({ definition: { id: 'big_win', name: 'Big Winner' } });

let errors: ReturnType<typeof vi.spyOn>;
beforeEach(() => {
  localStorage.clear();
  errors = vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function Balance() {
  return <p data-testid="balance">{useSession().user?.boltsBalance}</p>;
}

function watch(list: Achievement[]) {
  onGet('/api/auth/user', user);
  onGet('/api/achievements', list);
  return renderApp(
    <>
      <AchievementWatch user={user} />
      <Balance />
    </>,
  );
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const claimed = () =>
  onWrite('post', '/api/achievements/claim-reward', () => {
    onGet('/api/auth/user', { ...user, boltsBalance: 1100 });
    return HttpResponse.json({ ok: true });
  });

it('shows what was unlocked, claims its Bolts, and reads the user again', async () => {
  const sent = claimed();
  watch([first, locked]);
  expect(await screen.findByText('Achievement Unlocked!')).toBeVisible();
  expect(screen.getByText('First Steps')).toBeVisible();
  expect(screen.getByText('COMMON')).toBeVisible();
  expect(screen.getByText('+100 Bolts')).toBeVisible();
  expect(screen.getAllByTestId('particle')).toHaveLength(12);
  expect(screen.queryByText('Big Winner')).not.toBeInTheDocument();
  await waitFor(() => expect(screen.getByTestId('balance')).toHaveTextContent('1100'));
  expect(sent).toEqual([{ achievementId: 'first_bet', rewardBolts: 100 }]);
  expect(JSON.parse(localStorage.getItem(STORED) ?? '')).toEqual(['first_bet']);
});

it('claims what is reached although it is not unlocked yet', async () => {
  const sent = claimed();
  watch([makeAchievement({ percentage: 100 }), locked]);
  expect(await screen.findByText('First Steps')).toBeVisible();
  await waitFor(() => expect(sent).toEqual([{ achievementId: 'first_bet', rewardBolts: 100 }]));
});

it('shows one for 5 seconds, leaves for 300 ms, then shows the next', async () => {
  claimed();
  holdClock();
  watch([first, second]);
  expect(await screen.findByText('First Steps')).toBeVisible();
  expect(screen.queryByText('Whale Status')).not.toBeInTheDocument();
  await pass(4800);
  expect(screen.getByText('First Steps').closest('[data-leaving]')).toHaveAttribute('data-leaving', 'false');
  await pass(300);
  await waitFor(() =>
    expect(screen.getByText('First Steps').closest('[data-leaving]')).toHaveAttribute('data-leaving', 'true'),
  );
  await pass(300);
  expect(await screen.findByText('Whale Status')).toBeVisible();
  expect(screen.getByText('+10,000 Bolts · Title “Whale”')).toBeVisible();
});

it('can be closed by hand', async () => {
  claimed();
  const view = watch([first]);
  await view.user.click(await screen.findByRole('button', { name: 'Dismiss achievement' }));
  await waitFor(() => expect(screen.queryByText('First Steps')).not.toBeInTheDocument());
});

it('never shows one again, but claims what an earlier visit failed to', async () => {
  localStorage.setItem(STORED, '["first_bet"]');
  const sent = claimed();
  watch([first]);
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(screen.queryByText('First Steps')).not.toBeInTheDocument();
});

it('neither shows nor claims what is claimed already', async () => {
  const sent = claimed();
  watch([{ ...first, claimedAt: unlockedAt }]);
  await waitFor(() => expect(localStorage.getItem(STORED)).toBe('["first_bet"]'));
  expect(screen.queryByText('First Steps')).not.toBeInTheDocument();
  expect(sent).toEqual([]);
});

it('logs a stored list that cannot be read, and goes on', async () => {
  localStorage.setItem(STORED, '{not json');
  claimed();
  watch([first]);
  expect(await screen.findByText('First Steps')).toBeVisible();
  expect(errors).toHaveBeenCalledWith('The shown achievements could not be read', expect.any(SyntaxError));
});

it('logs a claim that fails, says nothing, and does not try again on this visit', async () => {
  let asked = 0;
  server.use(
    http.post('/api/achievements/claim-reward', () => {
      asked += 1;
      return problem(503, 'unavailable', 'Try again.');
    }),
  );
  watch([first]);
  await waitFor(() =>
    expect(errors).toHaveBeenCalledWith('The reward of first_bet could not be claimed', expect.any(Error)),
  );
  expect(screen.queryByText('Try again.')).not.toBeInTheDocument();
  expect(asked).toBe(1);
});

it('shows in an open dialog, behind which it could be neither heard nor closed', async () => {
  claimed();
  onGet('/api/auth/user', user);
  onGet('/api/achievements', [first]);
  renderApp(
    <>
      <Dialog open title="Sure?" onClose={() => {}}>
        <p>Really?</p>
      </Dialog>
      <AchievementWatch user={user} />
    </>,
  );
  const title = await screen.findByText('Achievement Unlocked!');
  expect(screen.getByRole('dialog')).toContainElement(title);
});

it('leaves after its 5 seconds and 300 ms, however many dialogs open and close meanwhile', async () => {
  claimed();
  holdClock();
  onGet('/api/auth/user', user);
  onGet('/api/achievements', [first]);
  function Page() {
    const [open, setOpen] = useState(false);
    return (
      <>
        <button type="button" onClick={() => setOpen(!open)}>
          switch
        </button>
        <Dialog open={open} title="Sure?" onClose={() => {}}>
          <p>Really?</p>
        </Dialog>
        <AchievementWatch user={user} />
      </>
    );
  }
  renderApp(<Page />);
  const change = () => act(async () => screen.getByText('switch').click());
  const leaving = () =>
    screen.getByText('First Steps').closest('[data-leaving]')?.getAttribute('data-leaving');
  await screen.findByText('First Steps');
  await pass(2000);
  await change();
  expect(screen.getByRole('dialog')).toContainElement(screen.getByText('First Steps'));
  await pass(2000);
  await change();
  await pass(500);
  expect(leaving()).toBe('false');
  await pass(600);
  await waitFor(() => expect(leaving()).toBe('true'));
  await pass(200);
  await change();
  expect(leaving()).toBe('true');
  await pass(120);
  expect(screen.queryByText('First Steps')).not.toBeInTheDocument();
});
