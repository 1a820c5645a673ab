import type { Page } from '@playwright/test';
import { expect, test } from './bolts';
import { expectLoaded, expectNoSideScroll } from './checks';
import { createThroughApi, registered } from './people';
import { PHONE } from './sizes';

/** The links or buttons that a border marks as the current one. */
const marked = (page: Page, selector: string, edge: 'Top' | 'Bottom') =>
  page
    .locator(selector)
    .evaluateAll(
      (elements, edge) =>
        elements
          .filter((element) => getComputedStyle(element)[`border${edge}Width`] === '3px')
          .map((element) => element.textContent?.trim()),
      edge,
    );

test('forced colours still show what is current, chosen and done', async ({ browser, bolts }) => {
  const person = await registered(browser, bolts, 'forced', { forcedColors: 'active' });
  const { page } = person;
  await createThroughApi(person, bolts);
  await page.goto('/achievements');
  await expect(page.getByRole('heading', { name: 'First Steps' })).toBeVisible();
  expect(await marked(page, 'nav[aria-label=Main] a', 'Bottom')).toEqual(['Achievements']);
  expect(await marked(page, '[role=tab]', 'Bottom')).toEqual(['All']);
  const bar = page.getByRole('progressbar').first();
  expect(await bar.evaluate((element) => getComputedStyle(element).forcedColorAdjust)).toBe('none');
  await page.setViewportSize(PHONE);
  expect(await marked(page, 'nav[aria-label="Quick navigation"] a', 'Top')).toEqual(['Achievements']);

  await page.goto('/create-bet');
  const picks = page.getByRole('group', { name: 'Usual stakes' }).getByRole('button');
  await picks.filter({ hasText: '100' }).click();
  const widths = await picks.evaluateAll((buttons) =>
    buttons.map((button) => [button.textContent, getComputedStyle(button).borderTopWidth]),
  );
  expect(widths.filter(([, width]) => width !== '1px')).toEqual([['100', '2px']]);
  await page.context().close();
});

/** The font sizes of the browser, in px: Chromium's 'very large', and twice the usual size. */
const SIZES = [
  { size: 24, width: 390 },
  { size: 32, width: 1280 },
];

for (const { size, width } of SIZES) {
  test(`text has the size of the browser: ${size} px in a window of ${width} px`, async ({
    browser,
    bolts,
  }) => {
    const viewport = { width, height: 844 };
    const person = await registered(browser, bolts, 'large', { viewport });
    const { page } = person;
    // The card of a bet of somebody else names a masked address, which is long.
    const other = await registered(browser, bolts, 'somebody-with-a-long-name');
    await createThroughApi(other, bolts);
    const bet = await createThroughApi(person, bolts, { title: 'Is this large enough?', opponentStake: 50 });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Page.setFontSizes', { fontSizes: { standard: size } });
    for (const path of [
      `/bet/${bet.id}`,
      '/create-bet',
      '/marketplace',
      '/portfolio',
      '/achievements',
      '/account',
      '/landing',
    ]) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectLoaded(page);
      await expect(page.locator('body')).toHaveCSS('font-size', `${size}px`);
      await expectNoSideScroll(page, path);
      const tooWide = page
        .locator('article')
        .evaluateAll((cards) =>
          cards.filter((card) => card.scrollWidth > card.clientWidth).map((card) => card.textContent),
        );
      expect(await tooWide).toEqual([]);
    }
    await Promise.all([page.context().close(), other.page.context().close()]);
  });
}
