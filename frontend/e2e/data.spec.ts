import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { Bet, Movement } from '../src/api/types';
import { expect, test } from './bolts';
import { expectAccessible } from './checks';
import { createThroughApi, PASSWORD, post, registered, setProfile, signIn, takeThroughApi } from './people';
import { PHONE, WIDE } from './sizes';

/** The parts of the export that this test compares with the pages. */
interface Export {
  complete: boolean;
  profile: { username: string };
  bets: Bet[];
  transfers: Movement[];
}

/** Downloads the export on the account page. */
async function exported(page: Page): Promise<Export> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^bolts-\d{4}-\d{2}-\d{2}\.json$/);
  return JSON.parse(await readFile(await file.path(), 'utf8'));
}

test('a user takes the data and leaves', async ({ browser, bolts }) => {
  const ann = await registered(browser, bolts, 'leaver', { viewport: WIDE });
  const bob = await registered(browser, bolts, 'stayer');
  const { page } = ann;
  const username = `ann_${ann.email.split('.')[2]?.split('@')[0]}`;
  await setProfile(ann, bolts, { username });
  const bet = await createThroughApi(ann, bolts, { title: 'Will Ann come back?' });

  // The file has what the pages show.
  await page.goto('/account#data');
  const history = page.getByRole('region', { name: 'Wallet History' });
  // The site claims the reward of the first bet by itself. After that nothing moves.
  await expect(history.getByText('Achievement reward')).toBeVisible();
  const data = await exported(page);
  expect(data).toMatchObject({ complete: true, profile: { username } });
  expect(data.bets.map(({ title }) => title)).toEqual(['Will Ann come back?']);
  await expect(history.getByRole('listitem')).toHaveCount(data.transfers.length);

  // An open bet keeps the account.
  await takeThroughApi(bob, bolts, bet);
  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete account' });
  await expect(dialog.getByText('1 open bet')).toBeVisible();
  await expectAccessible(page, 'what keeps an account');
  await dialog.getByRole('link', { name: 'See your bets' }).click();
  await expect(page.getByRole('heading', { name: 'My Portfolio' })).toBeVisible();
  await post(ann, bolts, `/api/bets/${bet.id}/propose-resolution`, { winningOption: 'A' });
  await post(bob, bolts, `/api/bets/${bet.id}/respond-resolution`, { accept: true });

  await page.goto('/account#data');
  await page.getByRole('button', { name: 'Delete account' }).click();
  await dialog.getByLabel(`Type ${username} to confirm`).fill(username);
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await expectAccessible(page, 'the deletion of an account');
  await dialog.getByRole('button', { name: 'Delete my account' }).click();
  await expect(page.getByRole('heading', { name: 'Your account is deleted' })).toBeVisible();
  await expectAccessible(page, 'a deleted account');
  // screens.spec.ts shows the screens before this one on a phone.
  await page.setViewportSize(PHONE);
  await expectAccessible(page, 'a deleted account on a phone');
  await page.getByRole('link', { name: 'To the start page' }).click();
  await expect(page.getByRole('link', { name: 'Get Started' }).first()).toBeVisible();

  // Nobody can sign in, and the other party sees no name.
  await signIn(page, ann.email, PASSWORD);
  await expect(page.getByText('Invalid email or password')).toBeVisible();
  await bob.page.goto(`/bet/${bet.id}`);
  await expect(bob.page.getByText(/deleted-[0-9a-f]{12}/).first()).toBeVisible();
  await expect(bob.page.getByText(username)).toHaveCount(0);

  // The address registers anew, and has nothing of the old account.
  await page.goto('/auth?new');
  await page.getByLabel('Email Address').fill(ann.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('heading', { name: 'My Portfolio' })).toBeVisible();
  await expect(page.getByText('Will Ann come back?')).toHaveCount(0);
  expect((await page.request.get('/api/bets/my')).ok()).toBe(true);
  expect(await (await page.request.get('/api/bets/my')).json()).toEqual([]);
});
