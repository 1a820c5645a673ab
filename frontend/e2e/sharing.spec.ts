import type { Browser, Page } from '@playwright/test';
import { type Bolts, expect, test } from './bolts';
import { expectAccessible, scanned } from './checks';
import { createThroughApi, expectStatus, registered } from './people';
import { PHONE, WIDE } from './sizes';

const SIDES = { optionA: 'Yes <b>really</b>', optionB: 'No' };

/** A reader that runs no script, like the program of a chat that shows a link. */
async function readerWithoutScript(browser: Browser, bolts: Bolts): Promise<Page> {
  const context = await browser.newContext({ baseURL: bolts.origin, javaScriptEnabled: false });
  return context.newPage();
}

const content = (page: Page, name: string) =>
  page.locator(`meta[name="${name}"], meta[property="${name}"]`).getAttribute('content');

test('a link to a public bet shows its terms and its card to a reader without scripts', async ({
  browser,
  bolts,
}) => {
  const ada = await registered(browser, bolts, 'ada');
  const title = `Will it rain? "Quoted" <i>${Date.now()}</i>`;
  const bet = await createThroughApi(ada, bolts, { title, ...SIDES });
  await ada.page.goto(`/bet/${bet.id}`);
  const link = await ada.page.getByLabel('Share link').inputValue();

  const reader = await readerWithoutScript(browser, bolts);
  await reader.goto(link);
  expect(await reader.title()).toBe(`${title} · Bolts`);
  expect(await content(reader, 'og:title')).toBe(`${title} · Bolts`);
  expect(await content(reader, 'og:description')).toContain(SIDES.optionA);
  expect(await reader.locator('link[rel="canonical"]').getAttribute('href')).toBe(link);

  const card = (await content(reader, 'og:image')) ?? '';
  expect(card).toContain(`${bolts.origin}/og/${bet.id}-`);
  const size = await (await browser.newPage({ baseURL: bolts.origin })).evaluate(async (address) => {
    const picture = new Image();
    picture.src = address;
    await picture.decode();
    return [picture.naturalWidth, picture.naturalHeight];
  }, card);
  expect(size).toEqual([1200, 630]);
});

for (const [kind, device, viewport] of [
  ['public', 'a desktop', WIDE],
  ['private', 'a phone', PHONE],
] as const) {
  const isPrivate = kind === 'private';
  test(`a ${kind} bet is shared by link, QR code and the browser's dialog, on ${device}`, async ({
    browser,
    bolts,
  }) => {
    const ada = await registered(browser, bolts, 'ada', {
      viewport,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    // The browser without a screen has no dialog for sharing.
    await ada.page.addInitScript(() => {
      navigator.share = async (data) => {
        document.documentElement.dataset.shared = JSON.stringify(data);
      };
    });
    const title = `Shared from ${device}, case ${Date.now()}`;
    const bet = await createThroughApi(ada, bolts, { title, ...SIDES, isPrivate });
    await ada.page.goto(`/bet/${isPrivate ? bet.shareToken : bet.id}`);
    const panel = ada.page.getByRole('region', {
      name: isPrivate ? 'Share Private Bet' : 'Share This Bet',
    });
    const link = await panel.getByLabel('Share link').inputValue();
    expect(link).toBe(`${bolts.origin}/${isPrivate ? `share/${bet.shareToken}` : `bet/${bet.id}`}`);
    await expect.poll(() => scanned(panel.locator('svg').last())).toBe(link);
    await panel.getByRole('button', { name: 'Copy Share Link' }).click();
    expect(await ada.page.evaluate(() => navigator.clipboard.readText())).toBe(link);
    await panel.getByRole('button', { name: 'Share…' }).click();
    await expect(ada.page.locator('html')).toHaveAttribute(
      'data-shared',
      JSON.stringify({ title, url: link }),
    );
    await expectAccessible(ada.page, 'a bet to share');

    const bob = await registered(browser, bolts, 'bob', { viewport });
    await bob.page.goto(link);
    await expect(bob.page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await bob.page.getByRole('button', { name: isPrivate ? 'Bet Option B' : 'Take This Bet' }).click();
    await expectStatus(bob.page, 'LIVE');
  });
}

test('a link to a private bet shows nothing of it to a reader without scripts', async ({
  browser,
  bolts,
}) => {
  const ada = await registered(browser, bolts, 'ada');
  const title = `Between the two of us ${Date.now()}`;
  const bet = await createThroughApi(ada, bolts, { title, ...SIDES, isPrivate: true });
  const reader = await readerWithoutScript(browser, bolts);
  await reader.goto('/bet/unknown');
  const unknown = await reader.locator('head').innerHTML();
  expect(unknown).toContain('content="noindex"');
  for (const path of [`/bet/${bet.id}`, `/bet/${bet.shareToken}`, `/bet/${bet.id}?token=${bet.shareToken}`]) {
    await reader.goto(path);
    expect(await reader.locator('head').innerHTML()).toBe(unknown);
  }
  await reader.goto(`/share/${bet.shareToken}`);
  expect(await reader.title()).toBe('A bet on Bolts');
  const shown = await reader.content();
  for (const word of [title, 'really', bet.id, bet.shareToken ?? 'no token'])
    expect(shown).not.toContain(word);
});

test('the page sets its own title once it runs', async ({ browser, bolts }) => {
  const ada = await registered(browser, bolts, 'ada');
  const bet = await createThroughApi(ada, bolts, { title: 'Own title of the page', ...SIDES });
  await ada.page.goto(`/bet/${bet.id}`);
  await expect(ada.page).toHaveTitle('Own title of the page · Bolts');
  await ada.page.getByRole('link', { name: 'Marketplace' }).first().click();
  await expect(ada.page).toHaveTitle('Bet Marketplace · Bolts');
});
