import type { Browser, Locator, Page, ViewportSize } from '@playwright/test';
import { type Bolts, expect, test } from './bolts';
import { createThroughApi, PASSWORD, post, registered } from './people';
import { PHONE, WIDE } from './sizes';
import { coveringToasts } from './toasts';
import { countWork, type Work } from './work';

/** The link that a user of this window sees: the navigation of a phone is at the bottom. */
const visibleLink = (page: Page, name: string) =>
  page.getByRole('link', { name, exact: true }).filter({ visible: true }).first();

/** Checks that the user can read the element without scrolling: it ends above the navigation of a phone. */
async function expectOnFirstScreen(page: Page, element: Locator) {
  await expect(element).toBeVisible();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  const box = await element.boundingBox();
  const bar = page.getByRole('navigation', { name: 'Quick navigation' });
  const end = (await bar.isVisible()) ? (await bar.boundingBox())?.y : page.viewportSize()?.height;
  expect((box?.y ?? Number.NaN) + (box?.height ?? 0)).toBeLessThanOrEqual(end ?? 0);
}

/** Signs up as a visitor does, and ends on the first page of a member. */
async function signUp(browser: Browser, bolts: Bolts, size: ViewportSize) {
  const context = await browser.newContext({
    baseURL: bolts.origin,
    reducedMotion: 'reduce',
    viewport: size,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  const work = await countWork(page);
  await page.goto('/');
  await page.getByRole('link', { name: 'Get Started' }).first().click();
  await page.getByLabel('Email Address').click();
  await page.keyboard.type(`new.${size.width}.${Date.now()}@example.com`);
  await page.getByLabel('Password', { exact: true }).click();
  await page.keyboard.type(PASSWORD);
  await page.getByLabel('Confirm Password', { exact: true }).click();
  await page.keyboard.type(PASSWORD);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('heading', { name: 'Make your first bet' })).toBeVisible();
  expect(work(), 'sign up').toEqual({ clicks: 5, typed: 3 });
  return { page, work };
}

/** The tasks of docs/adr/0010-five-tasks-of-a-newcomer.md, as a person does them who has never seen the site. */
for (const size of [WIDE, PHONE]) {
  test(`at ${size.width} px a newcomer does five tasks`, async ({ browser, bolts }) => {
    const maker = await registered(browser, bolts, 'maker');
    const word = `ferry${Date.now()}`;
    const title = `Will the ${word} run on Sunday?`;
    await createThroughApi(maker, bolts, { title: 'Will the choir sing?' });
    const bet = await createThroughApi(maker, bolts, { title, optionA: 'It runs', optionB: 'It stays' });
    const { page, work } = await signUp(browser, bolts, size);
    const costs = (task: string, cost: Work) => expect(work(), task).toEqual(cost);

    await visibleLink(page, 'Marketplace').click();
    await page.getByLabel('Search bets').click();
    await page.keyboard.type(word);
    await expect(page.getByRole('article')).toHaveCount(1);
    const card = page.getByRole('article').filter({ hasText: title });
    await expect(card).toContainText('Ends in 23 h');
    costs('find a bet', { clicks: 2, typed: 1 });

    await card.getByRole('button', { name: /^Take this side/ }).click();
    const question = page.getByRole('dialog', { name: 'Take this bet?' });
    await expect(question).toContainText('You stake 200 Bolts · You get 400 · profit 200');
    await expect(question).toContainText(
      /It expires in 23 h \d+ min, and then .* proposes the outcome\. It counts unless you reject it\. If nobody settles it, both stakes go back\./,
    );
    await question.getByRole('button', { name: 'Take This Bet' }).click();
    await expect(card).toContainText('LIVE');
    await expect(card).toContainText('YOUR SIDE');
    costs('take it', { clicks: 2, typed: 0 });

    await card.getByRole('link', { name: title }).click();
    await expect(
      page.getByText(/^This bet is live: it expires in 23 h .* both stakes go back\.$/),
    ).toBeVisible();
    costs('find what its deadline does', { clicks: 1, typed: 0 });

    await post(maker, bolts, `/api/bets/${bet.id}/early-resolution`);
    await post(maker, bolts, `/api/bets/${bet.id}/propose-resolution`, { winningOption: 'B' });
    await page.goto('/achievements');
    await visibleLink(page, 'Portfolio (1 waiting for you)').click();
    await expect(page.getByRole('article').first()).toContainText('3 days 23 h left');
    await page.getByRole('link', { name: /^Answer/ }).click();
    const sentence = page.getByText(/otherwise the outcome stands in 3 days 23 h and you get 400 Bolts/);
    await expectOnFirstScreen(page, sentence);
    await page.getByRole('button', { name: 'Accept Outcome' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Accept Outcome' }).click();
    // The test looks for the toast first, because the toast disappears after five seconds.
    await expect(page.locator('[data-toast]').first()).toBeVisible();
    const end = page.getByRole('region', { name: 'The end of this bet' });
    const figure = end.getByText('+200 Bolts', { exact: true });
    await expect(figure).toBeVisible();
    costs('answer a proposal', { clicks: 4, typed: 0 });
    await expect
      .poll(() => figure.evaluate(coveringToasts), { message: 'toasts over the figure' })
      .toEqual([]);

    const own = await createThroughApi({ email: '', page }, bolts, {
      title: 'Will I be late?',
      stakeAmount: 20,
    });
    await page.goto('/portfolio');
    await expect(page.getByRole('article').filter({ hasText: own.title })).toContainText('by you');
    await page.getByRole('link', { name: own.title }).click();
    await page.getByRole('button', { name: 'Copy Share Link' }).click();
    await expect(page.getByText('Share Link Copied')).toBeVisible();
    costs('share a bet', { clicks: 2, typed: 0 });
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${bolts.origin}/bet/${own.id}`);
    await page.context().close();
    await maker.page.context().close();
  });
}
