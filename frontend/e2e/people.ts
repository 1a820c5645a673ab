import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import type { Achievement, Bet, NewBet } from '../src/api/types';
import { type Bolts, expect } from './bolts';

export const PASSWORD = 'correct horse battery';
/**
 * The time in which a page must show a change by another user. It is less than the 30 seconds after which a page
 * refetches by itself. So the page must have received a hint from the server.
 */
export const NOTICED_WITHIN_MS = 20_000;
let count = 0;

export interface Person {
  email: string;
  page: Page;
}

/** An e-mail address that no other user of this test run has. */
function freshEmail(name: string): string {
  count += 1;
  return `${name}.${process.pid}.${count}@example.com`;
}

/** Registers a new user through the page, in a new browser context. */
export async function newcomer(
  browser: Browser,
  bolts: Bolts,
  name: string,
  options: BrowserContextOptions = {},
) {
  const context = await browser.newContext({ baseURL: bolts.origin, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  const email = freshEmail(name);
  await page.goto('/auth');
  await page.getByRole('button', { name: 'Create one here' }).click();
  await page.getByLabel('Email Address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('heading', { name: 'My Portfolio' })).toBeVisible();
  return { email, page };
}

/** Registers a new user through the API, for tests that are not about the registration. */
export async function registered(
  browser: Browser,
  bolts: Bolts,
  name: string,
  options: BrowserContextOptions = {},
) {
  const context = await browser.newContext({ baseURL: bolts.origin, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  const email = freshEmail(name);
  const answer = await page.request.post('/api/auth/register', {
    data: { email, password: PASSWORD },
    headers: { Origin: bolts.origin },
  });
  expect(answer.status()).toBe(201);
  return { email, page };
}

/** Signs in on the sign-in page. */
export async function signIn(page: Page, email: string, password: string) {
  await page.goto('/auth');
  await page.getByLabel('Email Address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

/** Checks the balance: `bolts` plus the rewards of achievements that the user has claimed. */
export async function expectBalance(page: Page, bolts: number) {
  await expect(async () => {
    const expected = bolts + (await claimedRewards(page));
    const shown = page.getByTestId('bolts-balance');
    await expect(shown).toHaveText(expected.toLocaleString('en-US'), { timeout: 500 });
  }).toPass({ timeout: NOTICED_WITHIN_MS });
}

async function claimedRewards(page: Page): Promise<number> {
  const answer = await page.request.get('/api/achievements');
  const list: Achievement[] = await answer.json();
  const unclaimed = list.filter(({ unlockedAt, claimedAt }) => unlockedAt !== null && claimedAt === null);
  expect(unclaimed, 'what is unlocked is claimed by the page').toEqual([]);
  return list
    .filter(({ claimedAt }) => claimedAt !== null)
    .reduce((sum, { definition }) => sum + (definition.reward.bolts ?? 0), 0);
}

export async function createThroughApi(
  person: Person,
  bolts: Bolts,
  change: Partial<NewBet> = {},
): Promise<Bet> {
  const answer = await person.page.request.post('/api/bets', {
    headers: { Origin: bolts.origin },
    data: {
      title: 'A bet made through the API',
      optionA: 'It happens',
      optionB: 'It does not',
      stakeAmount: 200,
      currencyType: 'bolts',
      category: 'Other',
      resolutionMethod: 'Mutual Agreement',
      creatorOption: 'A',
      expiresAt: new Date(Date.now() + 24 * 3600 * 1000).toISOString(),
      ...change,
    },
  });
  expect(answer.status()).toBe(201);
  return answer.json();
}

/** Sends a request of a signed-in person, and checks that the server accepts it. */
export async function post(person: Person, bolts: Bolts, path: string, data: object = {}) {
  const answer = await person.page.request.post(path, { data, headers: { Origin: bolts.origin } });
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
}

/** Takes side B of a bet. */
export function takeThroughApi(taker: Person, bolts: Bolts, { id, shareToken }: Bet) {
  return post(taker, bolts, '/api/bets/accept', { betId: id, chosenOption: 'B', shareToken });
}

interface Profile {
  username: string;
  firstName?: string;
  lastName?: string;
}

export async function setProfile(person: Person, bolts: Bolts, profile: Profile) {
  const headers = { Origin: bolts.origin };
  const answer = await person.page.request.patch('/api/auth/profile', { data: profile, headers });
  expect(answer.status(), profile.username).toBe(200);
}

interface WrittenBet {
  title: string;
  stake: number;
  isPrivate?: boolean;
  /** The username of the arbiter, which the form must find by its beginning. */
  arbiter?: string;
}

/** Chooses 3 PM on the 15th of next month. */
export async function pickExpiry(page: Page) {
  await page.getByLabel('Expiry date').click();
  await page.getByRole('button', { name: /next month/i }).click();
  await page
    .getByRole('grid')
    .getByRole('button', { name: /\b15th\b/ })
    .click();
  await page.getByRole('button', { name: '3:00 PM' }).click();
}

/** Fills in the form and creates a bet on option A. */
export async function createThroughForm(page: Page, { title, stake, isPrivate, arbiter }: WrittenBet) {
  await page.goto('/create-bet');
  await page.getByRole('textbox', { name: /^Title/ }).fill(title);
  await page.getByRole('textbox', { name: 'Option A' }).fill('Yes, it does');
  await page.getByRole('textbox', { name: 'Option B' }).fill('No, it does not');
  await page.getByLabel('Stake').fill(String(stake));
  await pickExpiry(page);
  if (isPrivate) await page.getByRole('switch', { name: 'Private bet' }).check();
  if (arbiter) await nameArbiter(page, arbiter);
  await expect(
    page.getByText(`You stake ${stake} Bolts · You get ${2 * stake} · profit ${stake}`),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Create Bet' }).click();
  // The toast is checked before the new page, because it disappears after five seconds. A busy machine may take that
  // long to load a page.
  await expect(page.getByText(`${isPrivate ? 'Private' : 'Public'} Bet Created!`)).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
}

async function nameArbiter(page: Page, username: string) {
  await page.getByRole('button', { name: /^Who decides/ }).click();
  const field = page.getByLabel(/^Arbiter/);
  await field.fill(username.slice(0, -1));
  await expect(page.locator(`datalist option[value="${username}"]`)).toHaveCount(1);
  await field.fill(username);
}

/** Ends a live bet early as its creator, and proposes an outcome. */
export async function endEarlyAndPropose(page: Page, outcome: RegExp) {
  await page.getByRole('button', { name: 'End Bet Early' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End Bet Early' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectStatus(page, 'AWAITING RESOLUTION');
  await propose(page, outcome);
}

async function propose(page: Page, outcome: RegExp) {
  await page.getByRole('radio', { name: outcome }).check();
  await page.getByRole('button', { name: 'Propose Outcome' }).click();
  await expect(page.getByText('You proposed this outcome:')).toBeVisible();
}

/** Checks the status in the badge of the bet page. */
export async function expectStatus(page: Page, label: string, timeout = NOTICED_WITHIN_MS) {
  await expect(page.getByRole('main').getByText(label, { exact: true }).first()).toBeVisible({ timeout });
}

export function expectClean(bolts: Bolts) {
  const audit = bolts.run('audit');
  expect(audit.code, audit.output).toBe(0);
}
