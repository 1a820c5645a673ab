import type { Browser, Locator, Page, ViewportSize } from '@playwright/test';
import { type Bolts, expect, test } from './bolts';
import { held } from './held';
import { createThroughApi, expectStatus, type Person, registered } from './people';
import { PHONE, WIDE } from './sizes';
import { coveringToasts } from './toasts';

const MANUAL = { resolutionMethod: 'Manual Verification' } as const;

async function middleOf(place: Locator) {
  const box = await place.boundingBox();
  if (!box) throw new Error('It is not shown.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Clicks the middle of an element. The click reaches the element that is on top there. */
async function pressAt(page: Page, place: Locator) {
  // Scrolls the element to the middle of the window, so that the bars at the top and the bottom do not cover it.
  await place.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const { x, y } = await middleOf(place);
  await page.mouse.click(x, y);
}

async function two(browser: Browser, bolts: Bolts, viewport: ViewportSize) {
  return {
    a: await registered(browser, bolts, 'maker', { viewport }),
    b: await registered(browser, bolts, 'taker', { viewport }),
  };
}

for (const size of [WIDE, PHONE]) {
  test(`at ${size.width} px the whole card opens the bet and its open half takes it`, async ({
    browser,
    bolts,
  }) => {
    const { a, b } = await two(browser, bolts, size);
    const title = `A card to press at ${size.width}, case ${Date.now()}`;
    const bet = await createThroughApi(a, bolts, { title });
    const { page } = b;
    const list = `/marketplace?q=${encodeURIComponent(title)}`;
    for (const part of ['It happens', 'Pot', 'Stake 200 Bolts']) {
      await page.goto(list);
      await pressAt(page, page.getByRole('article').getByText(part, { exact: part !== 'Stake 200 Bolts' }));
      await expect(page, part).toHaveURL(new RegExp(`/bet/${bet.id}$`));
    }

    await page.goto(list);
    // The card contains one link and one button, and neither is inside the other.
    await expect(page.getByRole('article').getByRole('link')).toHaveCount(1);
    await expect(page.getByRole('article').getByRole('button')).toHaveCount(1);
    await expect(page.locator('a button, button a')).toHaveCount(0);
    await pressAt(page, page.getByRole('article').getByText('It does not', { exact: true }));
    const question = page.getByRole('dialog', { name: 'Take this bet?' });
    await expect(question).toContainText('You stake 200 Bolts · You get 400 · profit 200');
    await question.getByRole('button', { name: 'Cancel' }).click();

    await page.goto(`/bet/${bet.id}`);
    await pressAt(page, page.getByRole('main').getByText('It does not', { exact: true }).first());
    await expect(question).toBeVisible();
    await question.getByRole('button', { name: 'Take This Bet' }).click();
    await expectStatus(page, 'LIVE');
    await a.page.context().close();
    await page.context().close();
  });

  test(`at ${size.width} px no toast covers an action`, async ({ browser, bolts }) => {
    const { a, b } = await two(browser, bolts, size);
    const bet = await createThroughApi(a, bolts, MANUAL);
    await b.page.goto(`/bet/${bet.id}`);
    await b.page.getByRole('button', { name: 'Take This Bet' }).click();
    await expectFreeToast(b.page, 'Bet Accepted!');

    await a.page.goto(`/bet/${bet.id}`);
    await a.page.getByRole('button', { name: 'End Bet Early' }).click();
    const question = a.page.getByRole('dialog');
    await expect(question).toContainText('Then you say who won. This settles the bet at once and is final.');
    await question.getByRole('button', { name: 'End Bet Early' }).click();
    await expectFreeToast(a.page, 'Early Resolution Initiated');
    await expect(a.page.getByRole('button', { name: 'Declare Outcome' })).toBeVisible();
    await expectNothingCovered(a.page, 'Early Resolution Initiated');
    await expectUncovered(a.page.getByText('Your choice settles the bet at once and is final.'));

    await createWithoutExpiry(a.page);
    await a.page.context().close();
    await b.page.context().close();
  });
}

test('an achievement waits for a place where it covers no action', async ({ browser, bolts }) => {
  const person = await registered(browser, bolts, 'achiever', { viewport: PHONE });
  const { page } = person;
  await createThroughApi(person, bolts);
  const release = await held(page, '**/api/achievements');
  await createWithoutExpiry(page);
  release();
  const unlocked = page.locator('[data-toast]').filter({ hasText: 'Achievement Unlocked!' });
  await expect(unlocked).toHaveCount(1);
  // The form scrolls to the field with the error, and the toast is placed again after that.
  await expectNothingCovered(page, 'Achievement Unlocked!');
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expectFreeToast(page, 'Achievement Unlocked!');
});

/** Tries to create a bet without an expiry, and checks the toast that says so. */
async function createWithoutExpiry(page: Page) {
  await page.goto('/create-bet');
  await page.getByRole('textbox', { name: /^Title/ }).fill('A bet without a date');
  await page.getByRole('textbox', { name: 'Option A' }).fill('Yes');
  await page.getByRole('textbox', { name: 'Option B' }).fill('No');
  await page.getByLabel('Stake').fill('5');
  await page.getByRole('button', { name: 'Create Bet' }).click();
  await expectFreeToast(page, 'Expiry Date & Time Required');
}

/** Waits until the toast with this title shows, and checks that it covers no control. */
async function expectFreeToast(page: Page, title: string) {
  await expect(page.locator('[data-toast]').filter({ hasText: title })).toBeVisible();
  await expectNothingCovered(page, title);
}

async function expectNothingCovered(page: Page, title: string) {
  await expect
    .poll(() => page.evaluate(coveredControls), { message: `what “${title}” covers`, timeout: 3000 })
    .toEqual([]);
}

/** The names of the visible controls that a toast covers. This function runs in the page. */
function coveredControls(): string[] {
  const toasts = [...document.querySelectorAll('[data-toast], [class*="toast" i][data-tone]')].filter(
    (toast) => toast.checkVisibility({ visibilityProperty: true }),
  );
  const controls = [...document.querySelectorAll('button, a[href], input, select, textarea')];
  return toasts.flatMap((toast) => {
    const box = toast.getBoundingClientRect();
    return controls
      .filter((control) => !control.closest('[data-toast]') && !toast.contains(control))
      .filter((control) => {
        const { left, right, top, bottom, width } = control.getBoundingClientRect();
        const apart = right <= box.left || left >= box.right || bottom <= box.top || top >= box.bottom;
        return width > 1 && !apart;
      })
      .map((control) => control.textContent || control.getAttribute('name') || control.tagName);
  });
}

async function expectUncovered(words: Locator) {
  await expect(words).toBeVisible();
  expect(await words.page().locator('[data-toast]').count(), 'the toast is still there').toBeGreaterThan(0);
  await expect
    .poll(() => words.evaluate(coveringToasts), { message: 'toasts over the words', timeout: 3000 })
    .toEqual([]);
}

test('a bet that nobody knows is asked for once', async ({ browser, bolts }) => {
  for (const person of [await registered(browser, bolts, 'asks'), await visitor(browser, bolts)]) {
    const asked: string[] = [];
    // The event stream gets no answer, because its first event may tell the page to read again.
    await person.page.route('**/api/events', () => {});
    person.page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.startsWith('/api/bets/') && pathname !== '/api/bets/turn-count') asked.push(pathname);
    });
    const unknown = '0123456789abcdef0123456789abcdef';
    await person.page.goto(`/bet/${unknown}`);
    await expect(person.page.getByRole('heading', { name: 'Bet Not Found' })).toBeVisible();
    await person.page.waitForLoadState('networkidle');
    expect(asked).toEqual([`/api/bets/${unknown}`]);
    await person.page.context().close();
  }
});

async function visitor(browser: Browser, bolts: Bolts): Promise<Person> {
  const context = await browser.newContext({ baseURL: bolts.origin, reducedMotion: 'reduce' });
  return { email: '', page: await context.newPage() };
}

test('a page that is loaded again and again keeps its live updates', async ({ browser, bolts }) => {
  const { page } = await registered(browser, bolts, 'reloads');
  const stream = () => page.waitForResponse((response) => response.url().endsWith('/api/events'));
  for (let load = 1; load <= 20; load += 1) {
    const opened = stream();
    await page.goto('/achievements');
    expect((await opened).status(), `load ${load}`).toBe(200);
  }
  await page.context().close();
});

test('times are the reader’s, with New York’s beside the expiry', async ({ browser, bolts }) => {
  const person = await registered(browser, bolts, 'berlin', { timezoneId: 'Europe/Berlin' });
  const year = new Date().getUTCFullYear() + 2;
  const bet = await createThroughApi(person, bolts, { expiresAt: `${year}-06-01T16:00:00Z` });
  const words = `Jun 1, ${year}, 6:00 PM your time · 12:00 PM New York time`;
  await person.page.goto('/portfolio');
  await expect(person.page.getByRole('article')).toContainText(
    `Expires Jun 1, ${year}, 6:00 PM · 12:00 PM in New York`,
  );
  await person.page.goto(`/bet/${bet.id}`);
  await expect(person.page.getByText(words)).toBeVisible();
  await expect(person.page.getByText(words), 'the page says the expiry once').toHaveCount(1);
  await person.page.context().close();
});
