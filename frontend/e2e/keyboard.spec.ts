import type { Page } from '@playwright/test';
import { expect, test } from './bolts';
import { press, tabTo } from './keys';
import { createThroughApi, expectBalance, expectStatus, registered } from './people';
import { PHONE } from './sizes';

test('the main job without a mouse', async ({ browser, bolts }) => {
  const title = `By keyboard, case ${Date.now()}`;
  const a = await registered(browser, bolts, 'kim');
  await writeBet(a.page, title);
  await expectBalance(a.page, 800);

  const b = await registered(browser, bolts, 'lee');
  await b.page.goto('/marketplace');
  await tabTo(b.page, b.page.getByLabel('Search bets'));
  await b.page.keyboard.type(title);
  await press(b.page, b.page.getByRole('link', { name: title }));
  await expect(b.page.getByRole('heading', { level: 1, name: title })).toBeFocused();
  await press(b.page, b.page.getByRole('button', { name: 'Take This Bet' }));
  await expectStatus(b.page, 'LIVE');

  await a.page.reload();
  await tabTo(a.page, a.page.getByRole('radio', { name: /^Yes, it does$/ }));
  await a.page.keyboard.press('Space');
  await press(a.page, a.page.getByRole('button', { name: 'Propose Outcome' }));
  await expect(a.page.getByText('You proposed this outcome:')).toBeVisible();

  await b.page.reload();
  await press(b.page, b.page.getByRole('button', { name: 'Accept Outcome' }));
  await press(b.page, b.page.getByRole('dialog').getByRole('button', { name: 'Accept Outcome' }));
  await expectStatus(b.page, 'SETTLED');
  await expectBalance(b.page, 800);
});

// WCAG 2.4.11, Focus Not Obscured.
test('on a phone the bar at the bottom hides no control that has the focus', async ({ browser, bolts }) => {
  const { page } = await registered(browser, bolts, 'noa', { viewport: PHONE });
  await page.goto('/create-bet');
  await tabTo(page, page.getByRole('textbox', { name: /^Title/ }));
  const last = page.getByRole('button', { name: 'Create Bet' });
  while (!(await last.evaluate((element) => element === document.activeElement))) {
    await page.keyboard.press('Tab');
    await focusAgainAtBottom(page);
    expect(await coverOfFocused(page)).toBeNull();
  }
});

/** Scrolls the focused control to the bottom edge of the window, and moves the focus away from it and back. */
async function focusAgainAtBottom(page: Page) {
  await page.evaluate(() => {
    const { bottom } = (document.activeElement as Element).getBoundingClientRect();
    window.scrollBy(0, bottom - window.innerHeight);
  });
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
}

/** What is in front of the middle of the focused control, or null. */
function coverOfFocused(page: Page) {
  return page.evaluate(() => {
    const control = document.activeElement as Element;
    const { left, top, width, height } = control.getBoundingClientRect();
    const front = document.elementFromPoint(left + width / 2, top + height / 2);
    if (front && (control.contains(front) || front.contains(control))) return null;
    return `${front?.outerHTML.slice(0, 200)} in front of ${control.outerHTML.slice(0, 200)}`;
  });
}

async function writeBet(page: Page, title: string) {
  await page.goto('/create-bet');
  await tabTo(page, page.getByRole('textbox', { name: /^Title/ }));
  await page.keyboard.type(title);
  await tabTo(page, page.getByRole('textbox', { name: 'Option A' }));
  await page.keyboard.type('Yes, it does');
  await tabTo(page, page.getByRole('textbox', { name: 'Option B' }));
  await page.keyboard.type('No, it does not');
  await tabTo(page, page.getByLabel('Stake'));
  await page.keyboard.type('200');
  await pickDateByKeyboard(page);
  await press(page, page.getByRole('button', { name: '3:00 PM' }));
  await press(page, page.getByRole('button', { name: 'Create Bet' }));
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
}

async function pickDateByKeyboard(page: Page) {
  const date = page.getByLabel('Expiry date');
  await press(page, date);
  await press(page, page.getByRole('button', { name: /next month/i }));
  await press(page, page.getByRole('grid').getByRole('button').nth(0));
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(date).toBeFocused();
}

test('a dialog gives the focus back to what opened it', async ({ browser, bolts }) => {
  const person = await registered(browser, bolts, 'max');
  const bet = await createThroughApi(person, bolts);
  await person.page.goto(`/bet/${bet.id}`);
  const opener = person.page.getByRole('button', { name: 'Delete Bet' });
  await press(person.page, opener);
  await expect(person.page.getByRole('dialog')).toBeVisible();
  await person.page.keyboard.press('Escape');
  await expect(person.page.getByRole('dialog')).toBeHidden();
  await expect(opener).toBeFocused();
});
