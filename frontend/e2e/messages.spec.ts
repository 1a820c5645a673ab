import type { Page } from '@playwright/test';
import { expect, test } from './bolts';
import { expectAccessible, watchForTrouble } from './checks';
import { held } from './held';
import { createThroughApi, expectClean, expectStatus, registered } from './people';
import { PHONE, WIDE } from './sizes';

/** A PNG file that the page itself draws. */
async function drawnPicture(page: Page): Promise<Buffer> {
  const url = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [1200, 800];
    const context = canvas.getContext('2d');
    if (!context) throw new Error('no canvas');
    context.fillStyle = '#dfeaf5';
    context.fillRect(0, 0, 1200, 800);
    context.fillStyle = '#b0244a';
    context.fillRect(540, 120, 120, 560);
    return canvas.toDataURL('image/png');
  });
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}

const messages = (page: Page) => page.getByRole('region', { name: /^Messages/ });

async function say(page: Page, text: string) {
  await messages(page).getByLabel('Message', { exact: true }).fill(text);
  await messages(page).getByRole('button', { name: 'Send' }).click();
  await expect(messages(page).getByText(text)).toBeVisible();
}

test('two parties talk live and dispute with a picture as evidence', async ({ browser, bolts }) => {
  const a = await registered(browser, bolts, 'mia', { viewport: WIDE });
  const b = await registered(browser, bolts, 'noa', { viewport: PHONE, isMobile: true, hasTouch: true });
  const trouble = await watchForTrouble(b.page);
  const bet = await createThroughApi(a, bolts, { title: `Snow on the roof, case ${Date.now()}` });
  await b.page.goto(`/bet/${bet.id}`);
  await b.page.getByRole('button', { name: 'Take This Bet' }).click();
  await expectStatus(b.page, 'LIVE');
  await a.page.goto(`/bet/${bet.id}`);

  // Each message shows on the other page without a reload.
  await expect(messages(b.page).getByText('No messages yet.')).toBeVisible();
  await expect(messages(a.page).getByLabel('Message', { exact: true })).toBeVisible();
  await say(a.page, 'It snows already: https://example.com/webcam');
  await expect(messages(b.page).getByText('It snows already:')).toBeVisible();
  await expect(messages(b.page).getByText('[example.com]')).toBeVisible();
  await expect(messages(b.page).getByText('New', { exact: true })).toBeVisible();
  await say(b.page, 'Only on the road.');
  await expect(messages(a.page).getByText('Only on the road.')).toBeVisible();

  // A draft survives a reload. An own message can be deleted, and leaves a trace.
  await messages(b.page).getByLabel('Message', { exact: true }).fill('Half a thou');
  await b.page.reload();
  await expect(messages(b.page).getByLabel('Message', { exact: true })).toHaveValue('Half a thou');
  await messages(b.page).getByLabel('Message', { exact: true }).fill('');
  await messages(b.page).getByRole('button', { name: 'Delete' }).click();
  await b.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(messages(a.page).getByText('This message was deleted.')).toBeVisible();

  await a.page.getByRole('button', { name: 'End Bet Early' }).click();
  await a.page.getByRole('dialog').getByRole('button', { name: 'End Bet Early' }).click();
  await expectStatus(a.page, 'AWAITING RESOLUTION');
  await b.page.getByRole('button', { name: 'Dispute', exact: true }).click();
  await b.page.getByLabel('Reason').fill('The roof has no snow.');
  await b.page.getByRole('button', { name: 'Send Dispute' }).click();
  await expect(messages(b.page).getByText(/is evidence for the ruling/)).toBeVisible();

  const picture = await drawnPicture(b.page);
  const chosen = b.page.waitForEvent('filechooser');
  await messages(b.page).getByRole('button', { name: 'Add picture' }).click();
  await (await chosen).setFiles({ name: 'roof.png', mimeType: 'image/png', buffer: picture });
  const dialog = b.page.getByRole('dialog');
  await dialog.getByLabel('What does the picture show?').fill('The roof without snow');
  await expectAccessible(b.page, 'the dialog for a picture');
  const send = await held(b.page, '**/pictures');
  await dialog.getByRole('button', { name: 'Add picture' }).click();
  await expect(dialog.getByRole('progressbar', { name: /^Sending the picture: \d+ %$/ })).toBeVisible();
  send();
  await expect(messages(b.page).getByRole('img', { name: 'The roof without snow' })).toBeVisible();
  await say(b.page, 'This is the roof.');

  const evidence = messages(a.page).getByRole('listitem').filter({ hasText: 'This is the roof.' });
  await expect(evidence.getByText('Evidence')).toBeVisible();
  await expect(messages(b.page).getByRole('button', { name: 'Delete' })).toHaveCount(0);
  await evidence.getByRole('button', { name: 'Enlarge: The roof without snow' }).click();
  const large = a.page.getByRole('dialog').getByRole('img', { name: 'The roof without snow' });
  await expect(large).toBeVisible();
  await expect.poll(() => large.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1200);
  await expectAccessible(a.page, 'an enlarged picture');
  await a.page.keyboard.press('Escape');
  await expectAccessible(a.page, 'a bet with messages');
  expect(trouble).toEqual([]);
  expectClean(bolts);
});
