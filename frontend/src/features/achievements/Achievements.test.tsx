import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { expect, it } from 'vitest';
import AchievementsPage from '../../pages/AchievementsPage';
import { makeAchievement } from '../../test/fixtures';
import { renderApp } from '../../test/render';
import { onGet, problem, server } from '../../test/server';
import { tallyByRarity } from './figures';

const list = [
  makeAchievement({
    unlockedAt: '2026-01-02T00:00:00Z',
    claimedAt: '2026-01-02T00:00:00Z',
    current: 1,
    percentage: 100,
  }),
  makeAchievement({
    current: 4,
    target: 10,
    percentage: 40,
    definition: {
      id: 'high_roller',
      name: 'High Roller',
      rarity: 'rare',
      reward: { bolts: 500, sats: null, title: null },
    },
  }),
  makeAchievement({
    current: 2,
    target: 10,
    percentage: 20,
    definition: {
      id: 'win_streak_10',
      name: 'Legendary Streak',
      category: 'streak',
      rarity: 'legendary',
      reward: { bolts: 5000, sats: 1000, title: 'Streak Legend' },
    },
  }),
];

async function opened(answer = list) {
  onGet('/api/achievements', answer);
  const view = renderApp(<AchievementsPage />, '/achievements');
  await screen.findByRole('tablist');
  return view;
}
const card = (name: string) =>
  screen.getByRole('heading', { level: 3, name }).closest('article') as HTMLElement;

it('counts what is unlocked, in all and per rarity, the rarest first', async () => {
  await opened();
  expect(screen.getByText('1/3 unlocked')).toBeVisible();
  expect(screen.getByText('33% complete')).toBeVisible();
  const rarities = within(screen.getByRole('list', { name: 'By rarity' })).getAllByRole('listitem');
  expect(rarities.map((item) => item.textContent)).toEqual(['Legendary0/10%', 'Rare0/10%', 'Common1/1100%']);
});

it('knows the four rarities, the rarest first, and has room for others', () => {
  const list = ['new', 'common', 'epic', 'legendary', 'rare'].map((rarity) =>
    makeAchievement({ definition: { rarity } }),
  );
  expect(tallyByRarity(list).map(({ rarity }) => rarity)).toEqual([
    'legendary',
    'epic',
    'rare',
    'common',
    'new',
  ]);
});

it('shows a locked one with its progress, an unlocked one with a check mark, and what each gives', async () => {
  await opened();
  const locked = within(card('Legendary Streak'));
  expect(locked.getByText('Locked')).toBeInTheDocument();
  expect(locked.getByText('2 / 10 (20%)')).toBeVisible();
  expect(locked.getByRole('progressbar', { name: 'Progress towards Legendary Streak' })).toHaveValue(20);
  expect(locked.getByText(/\+5,000 Bolts · \+1,000 Sats · Title “Streak Legend”/)).toBeVisible();
  expect(locked.getByText('Legendary')).toBeVisible();
  const unlocked = within(card('First Steps'));
  expect(unlocked.getByText('Unlocked')).toHaveTextContent('Unlocked Jan 2, 2026');
  expect(unlocked.queryByRole('progressbar')).not.toBeInTheDocument();
  expect(unlocked.getByText('100 Bolts added', { exact: false })).toBeVisible();
});

it('parts them by category, by mouse and by arrow keys', async () => {
  const { user } = await opened();
  await user.click(screen.getByRole('tab', { name: 'Streaks' }));
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(1));
  await user.keyboard('{ArrowRight}');
  const milestones = screen.getByRole('tab', { name: 'Milestones' });
  expect(milestones).toHaveFocus();
  expect(milestones).toHaveAttribute('aria-selected', 'true');
  expect(screen.getByText('No achievements found in this category.')).toBeVisible();
  await user.keyboard('{ArrowRight}');
  await waitFor(() => expect(screen.getByRole('tab', { name: 'All' })).toHaveFocus());
  expect(screen.getAllByRole('article')).toHaveLength(3);
});

it('tells when they cannot be loaded', async () => {
  server.use(http.get('/api/achievements', () => problem(500, 'internal', 'Something failed.')));
  renderApp(<AchievementsPage />);
  expect(await screen.findByText('The achievements could not be loaded')).toBeVisible();
});
