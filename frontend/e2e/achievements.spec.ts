import { expect, test } from './bolts';
import { held } from './held';
import { createThroughForm, expectBalance, newcomer } from './people';

test('a first bet unlocks an achievement, which is shown once and paid', async ({ browser, bolts }) => {
  const { page } = await newcomer(browser, bolts, 'first');
  await page.goto('/achievements');
  await expect(page.getByText('0/9 unlocked')).toBeVisible();
  // Holds the request whose answer shows the toast. Otherwise the toast could disappear while the test waits for the new bet.
  const release = await held(page, '**/api/achievements');
  await createThroughForm(page, { title: `My first bet ${Date.now()}`, stake: 10 });
  release();
  const told = page.getByText('Achievement Unlocked!');
  await expect(told).toBeVisible();
  await expect(page.getByText('+100 Bolts')).toBeVisible();
  // Dismisses the toast right away, because it disappears by itself after five seconds.
  await page.getByRole('button', { name: 'Dismiss achievement' }).click();
  await expect(told).toHaveCount(0);
  await expect(page.getByTestId('bolts-balance')).toHaveText('1,090');
  await expectBalance(page, 990);

  await page.goto('/achievements');
  await expect(page.getByText('1/9 unlocked')).toBeVisible();
  await expect(page.getByText('11% complete')).toBeVisible();
  await expect(page.getByRole('article').filter({ hasText: 'First Steps' })).toContainText('Unlocked');
  await page.getByRole('tab', { name: 'Streaks' }).click();
  await expect(page.getByRole('article')).toHaveCount(3);
  await expect(told).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('1/9 unlocked')).toBeVisible();
  await expect(told).toHaveCount(0);
  await expect(page.getByTestId('bolts-balance')).toHaveText('1,090');
});
