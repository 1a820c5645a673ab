import type { Page } from '@playwright/test';
import { expect, test } from './bolts';
import { expectAccessible } from './checks';
import { PASSWORD, registered, signIn } from './people';
import { PHONE } from './sizes';
import { totp } from './totp';

test('the codes of these tests equal the vectors of RFC 6238', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [20_000_000_000, '353130'],
  ] as const)
    expect(totp(secret, 0, seconds * 1000)).toBe(code);
});

const factor = (page: Page) => page.getByRole('region', { name: 'Second Factor' });

/** Adds an authenticator app on the account page. Returns its secret and the recovery codes. */
async function protect(page: Page) {
  await page.goto('/account#security');
  await factor(page).getByRole('button', { name: 'Add an authenticator app' }).click();
  await factor(page).getByLabel('Password', { exact: true }).fill(PASSWORD);
  await factor(page).getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  await expectAccessible(page, 'a new authenticator app');
  const secret = await page.getByLabel('Or type this key into the app').inputValue();
  await factor(page)
    .getByLabel(/Code from the app/)
    .fill(totp(secret));
  await factor(page).getByRole('button', { name: 'Turn on' }).click();
  const codes = factor(page).getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  await expectAccessible(page, 'recovery codes');
  const recovery = await codes.allTextContents();
  await factor(page).getByRole('button', { name: 'I have saved the codes' }).click();
  await expect(factor(page).getByText('Recovery codes left: 10')).toBeVisible();
  return { secret, recovery };
}

for (const [look, options] of [
  ['a wide screen', {}],
  ['a phone', { viewport: PHONE }],
] as const)
  test(`an account is protected by an authenticator app, on ${look}`, async ({ browser, bolts }) => {
    const { page, email } = await registered(browser, bolts, 'cautious', options);
    const { secret, recovery } = await protect(page);

    // Another browser needs the code besides the password.
    const other = await browser.newContext({ baseURL: bolts.origin, reducedMotion: 'reduce', ...options });
    const second = await other.newPage();
    await signIn(second, email, PASSWORD);
    await expect(second.getByLabel('Code from the app')).toBeFocused();
    await expectAccessible(second, 'the second step of a sign-in');
    await second.getByLabel('Code from the app').fill('000000');
    await second.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(second.getByText('This code is wrong, or was used before')).toBeVisible();
    // The code of the next step is right during this step and the next one.
    const code = totp(secret, 1);
    await second.getByLabel('Code from the app').fill(code);
    await second.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(second.getByRole('heading', { name: 'My Portfolio' })).toBeVisible();

    // Somebody who watched the code cannot use it again.
    const third = await (await browser.newContext({ baseURL: bolts.origin })).newPage();
    await signIn(third, email, PASSWORD);
    await third.getByLabel('Code from the app').fill(code);
    await third.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(third.getByText('This code is wrong, or was used before')).toBeVisible();
    await third.getByRole('button', { name: 'Use a recovery code' }).click();
    await third.getByLabel('Recovery code', { exact: true }).fill(recovery[0] ?? '');
    await third.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(third.getByRole('heading', { name: 'My Portfolio' })).toBeVisible();

    // The first browser sees both sign-ins and ends them.
    await page.reload();
    const places = page.getByRole('region', { name: 'Where you are signed in' });
    await expect(places.getByRole('listitem')).toHaveCount(3);
    await expect(places.getByRole('listitem').first()).toContainText('on Linux from 127.0.0.0/24');
    await page.getByRole('button', { name: 'End all other sessions' }).click();
    await expect(places.getByRole('listitem')).toHaveCount(1);
    await expect(page.getByText('2 sessions have ended.')).toBeVisible();
    await third.goto('/account');
    await expect(third.getByRole('heading', { name: 'Access Denied' })).toBeVisible();

    await expect(factor(page).getByText('Recovery codes left: 9')).toBeVisible();
    await factor(page).getByRole('button', { name: 'Remove the app' }).click();
    await factor(page)
      .getByLabel('Code', { exact: true })
      .fill(recovery[1] ?? '');
    await factor(page).getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(factor(page).getByText('Your account has no second factor.')).toBeVisible();
    await signIn(second, email, PASSWORD);
    await expect(second.getByRole('heading', { name: 'My Portfolio' })).toBeVisible();
  });

test('the sections of the account page have addresses', async ({ browser, bolts }) => {
  const { page } = await registered(browser, bolts, 'linker');
  await page.goto('/account#wallet');
  await expect(page.getByRole('heading', { name: 'Account Balances' })).toBeInViewport();
  await page.getByRole('link', { name: 'Security', exact: true }).click();
  await expect(page).toHaveURL(/\/account#security$/);
  await expect(page.getByRole('heading', { name: 'Security Settings' })).toBeInViewport();
});

test('the operator helps a user who lost phone and codes', async ({ browser, bolts }) => {
  const { page, email } = await registered(browser, bolts, 'unlucky');
  await protect(page);
  expect(bolts.run('user', 'reset-2fa', email).code).toBe(0);
  await signIn(page, email, PASSWORD);
  await expect(page.getByRole('heading', { name: 'My Portfolio' })).toBeVisible();
});
