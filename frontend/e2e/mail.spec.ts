import { test as base, expect } from '@playwright/test';
import { type Bolts, withBolts } from './bolts';
import { freePort } from './free-port';
import { linkOf, type Mailbox, withMailbox } from './maildev';
import { createThroughApi, expectClean, PASSWORD, registered, takeThroughApi } from './people';

/** A site that sends mails to maildev. */
const test = base.extend<object, { bolts: Bolts; mailbox: Mailbox }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern
  mailbox: [async ({}, use) => withMailbox(use), { scope: 'worker' }],
  bolts: [
    async ({ mailbox }, use) => {
      const port = await freePort();
      await withBolts(use, {
        BOLTS_BIND: `127.0.0.1:${port}`,
        BOLTS_PUBLIC_URL: `http://127.0.0.1:${port}`,
        BOLTS_SMTP_URL: `smtp://127.0.0.1:${mailbox.port}`,
        BOLTS_MAIL_FROM: 'Bolts <bolts@bets.example>',
      });
    },
    { scope: 'worker' },
  ],
});

// One worker runs both tests, so that maildev, which takes long to start, starts once.
test.describe.configure({ mode: 'default' });

test('sign up, confirm the address, forget the password, set a new one', async ({
  browser,
  bolts,
  mailbox,
}) => {
  const ada = await registered(browser, bolts, 'ada');
  const { page, email } = ada;
  await page.goto('/account');
  await expect(page.getByRole('region', { name: 'Email', exact: true })).toContainText('Not confirmed yet');

  await page.goto(linkOf(await mailbox.mail(email, 'Confirm your email address')));
  await expect(page.getByRole('button', { name: 'Confirm This Address' })).toBeVisible();
  expect(new URL(page.url()).hash).toBe('');
  await page.getByRole('button', { name: 'Confirm This Address' }).click();
  await expect(page.getByRole('heading', { name: 'Your email address is confirmed.' })).toBeVisible();
  await page.goto('/account');
  await expect(page.getByRole('region', { name: 'Email', exact: true })).toContainText('Confirmed');

  const other = await (await browser.newContext({ baseURL: bolts.origin })).newPage();
  await other.goto('/auth');
  await other.getByRole('link', { name: 'Forgot password?' }).click();
  // Until the code of the next page has loaded, the page for signing in stays, and it has a field of this name too.
  await expect(other.getByRole('heading', { name: 'Forgot Your Password?' })).toBeVisible();
  await other.getByLabel('Email Address').fill(email);
  await other.getByRole('button', { name: 'Send the Link' }).click();
  await expect(other.getByText('a mail is on its way')).toBeVisible();
  const link = linkOf(await mailbox.mail(email, 'Set a new password'));
  await other.goto(link);
  await other.getByLabel('New Password', { exact: true }).fill('a new password');
  await other.getByLabel('Confirm New Password', { exact: true }).fill('a new password');
  await other.getByRole('button', { name: 'Set Password' }).click();
  await expect(other.getByText('Your password is set.')).toBeVisible();

  await other.goto(link);
  await other.reload();
  await other.getByLabel('New Password', { exact: true }).fill('by a thief');
  await other.getByLabel('Confirm New Password', { exact: true }).fill('by a thief');
  await other.getByRole('button', { name: 'Set Password' }).click();
  await expect(other.getByRole('link', { name: 'Ask for a New Link' })).toBeVisible();

  await other.goto('/auth');
  await other.getByLabel('Email Address').fill(email);
  await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await other.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(other.getByText('Invalid email or password')).toBeVisible();
  await other.getByLabel('Password', { exact: true }).fill('a new password');
  await other.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(other).toHaveURL(`${bolts.origin}/`);
  await mailbox.mail(email, 'Password Reset');
  await page.goto('/account');
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  expectClean(bolts);
});

test('a mail about a bet opens the bet, and one click stops such mails', async ({
  browser,
  bolts,
  mailbox,
}) => {
  const ada = await registered(browser, bolts, 'ada');
  const ben = await registered(browser, bolts, 'ben');
  await ada.page.goto(linkOf(await mailbox.mail(ada.email, 'Confirm your email address')));
  await ada.page.getByRole('button', { name: 'Confirm This Address' }).click();
  await expect(ada.page.getByRole('heading', { name: 'Your email address is confirmed.' })).toBeVisible();

  const take = async (title: string) => {
    const bet = await createThroughApi(ada, bolts, { title, stakeAmount: 10 });
    await takeThroughApi(ben, bolts, bet);
    return bet;
  };
  const bet = await take('Will the kettle boil?');
  const mail = await mailbox.mail(ada.email, 'Bet Accepted');
  expect(mail.html).toContain('Will the kettle boil?');
  await ada.page.goto(linkOf(mail));
  expect(new URL(ada.page.url()).pathname).toBe(`/bet/${bet.id}`);
  await expect(ada.page.getByRole('heading', { level: 1, name: 'Will the kettle boil?' })).toBeVisible();

  const [, stop = ''] = /<a href="([^"]+)"[^>]*>Stop mails like this one/.exec(mail.html) ?? [];
  const reader = await (await browser.newContext()).newPage();
  await reader.goto(stop);
  await reader.getByRole('button', { name: 'Stop These Mails' }).click();
  await expect(reader.getByRole('heading', { name: 'These mails have stopped.' })).toBeVisible();
  await ada.page.goto('/account#notifications');
  const choice = ada.page.getByLabel('Somebody takes your bet');
  await expect(choice).not.toBeChecked();

  const before = await mailbox.count(ada.email);
  await choice.check();
  await ada.page.getByRole('button', { name: 'Save Choices' }).click();
  await expect(ada.page.getByText('Choices Saved')).toBeVisible();
  await take('Will it whistle?');
  await expect.poll(() => mailbox.count(ada.email)).toBe(before + 1);
  expectClean(bolts);
});
