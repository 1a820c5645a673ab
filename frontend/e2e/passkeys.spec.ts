import { type Browser, type BrowserContextOptions, test as base, type Page } from '@playwright/test';
import { type Bolts, expect, withBolts } from './bolts';
import { expectAccessible } from './checks';
import { freePort } from './free-port';
import { PASSWORD, registered, signIn } from './people';
import { PHONE } from './sizes';

/** Browsers accept passkeys without https only on localhost. */
const test = base.extend<object, { bolts: Bolts }>({
  bolts: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern
    async ({}, use) => {
      const port = await freePort();
      const origin = `http://localhost:${port}`;
      await withBolts((bolts) => use({ ...bolts, origin }), {
        BOLTS_BIND: `127.0.0.1:${port}`,
        BOLTS_PUBLIC_URL: origin,
      });
    },
    { scope: 'worker' },
  ],
});

interface Credential {
  credentialId: string;
  isResidentCredential: boolean;
  rpId?: string;
  privateKey: string;
  userHandle?: string;
  signCount: number;
}

/** An authenticator of the browser, which verifies its user without questions. */
async function authenticator(page: Page, verifies = true) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: verifies,
      automaticPresenceSimulation: true,
    },
  });
  return {
    credentials: async (): Promise<Credential[]> =>
      (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    add: (credential: Credential) => devtools.send('WebAuthn.addCredential', { authenticatorId, credential }),
    verify: (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}

async function stranger(browser: Browser, bolts: Bolts, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ baseURL: bolts.origin, reducedMotion: 'reduce', ...options });
  return context.newPage();
}

const factor = (page: Page) => page.getByRole('region', { name: 'Second Factor' });
const portfolio = (page: Page) => page.getByRole('heading', { name: 'My Portfolio' });

/** Adds a passkey on the account page. Returns the recovery codes. */
async function protect(page: Page, name: string) {
  await page.goto('/account#security');
  await factor(page).getByRole('button', { name: 'Add a passkey' }).click();
  await factor(page).getByLabel('Name of the passkey').fill(name);
  await factor(page).getByLabel('Password', { exact: true }).fill(PASSWORD);
  await expectAccessible(page, 'a new passkey');
  await factor(page).getByRole('button', { name: 'Continue' }).click();
  const codes = factor(page).getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const recovery = await codes.allTextContents();
  await factor(page).getByRole('button', { name: 'I have saved the codes' }).click();
  await expect(factor(page).getByText('Recovery codes left: 10')).toBeVisible();
  return recovery;
}

async function signInAlone(page: Page) {
  await page.goto('/auth');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
}

test('a passkey signs in and confirms', async ({ browser, bolts }) => {
  const { page, email } = await registered(browser, bolts, 'modern');
  const phone = await authenticator(page);
  await protect(page, 'My phone');
  await expect(factor(page).getByText('My phone')).toBeVisible();
  await expect(factor(page).getByText('never used')).toBeVisible();
  await expectAccessible(page, 'an account with a passkey');
  const [credential] = await phone.credentials();
  if (!credential) throw new Error('no passkey');

  // Another browser on the same device signs in without a password, and with one. Its window is narrow.
  const second = await stranger(browser, bolts, { viewport: PHONE });
  const same = await authenticator(second);
  await same.add(credential);
  await second.goto('/auth');
  await expectAccessible(second, 'the sign-in with passkeys');
  await signInAlone(second);
  await expect(portfolio(second)).toBeVisible();
  await second.context().clearCookies();
  await signIn(second, email, PASSWORD);
  await expect(second.getByLabel('Recovery code', { exact: true })).toBeVisible();
  await expectAccessible(second, 'the second step with a passkey');
  await second.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(portfolio(second)).toBeVisible();

  // The session is new, so the change needs no further proof. The user removes the passkey of a lost phone.
  await second.goto('/account#security');
  await factor(second).getByRole('button', { name: 'Rename My phone' }).click();
  await factor(second).getByLabel('Name of the passkey').fill('Old phone');
  await factor(second).getByRole('button', { name: 'Save' }).click();
  await factor(second).getByRole('button', { name: 'Remove Old phone' }).click();
  await factor(second).getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(factor(second).getByText('Your account has no second factor.')).toBeVisible();
  await second.context().clearCookies();
  await signInAlone(second);
  await expect(second.getByText('This passkey was not accepted. Please try again.')).toBeVisible();
});

test('an old session asks for the passkey before new recovery codes', async ({ browser, bolts }) => {
  const { page, email } = await registered(browser, bolts, 'careful');
  const phone = await authenticator(page);
  const [first] = await protect(page, 'My phone');
  // A session in which nothing was proved for 5 minutes: the server says what it says then.
  let isOld = true;
  await page.route('**/api/auth/recovery-codes', async (route) => {
    if (!isOld) return route.continue();
    const detail = 'Please confirm this with your second factor.';
    const body = {
      type: 'about:blank',
      title: 'Forbidden',
      status: 403,
      code: 'step_up_required',
      detail,
      errors: [],
    };
    await route.fulfill({ status: 403, contentType: 'application/problem+json', body: JSON.stringify(body) });
  });
  await factor(page).getByRole('button', { name: 'Get new recovery codes' }).click();
  const question = page.getByRole('dialog', { name: 'Get new recovery codes' });
  await question.getByRole('button', { name: 'Get new recovery codes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm It Is You' });
  await expect(dialog.getByRole('button', { name: 'Use a passkey' })).toBeVisible();
  await expectAccessible(page, 'a proof with a passkey');
  isOld = false;
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  const codes = factor(page).getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const [fresh] = await codes.allTextContents();
  expect((await phone.credentials())[0]?.signCount).toBeGreaterThan(0);

  const other = await stranger(browser, bolts);
  await signIn(other, email, PASSWORD);
  await other.getByLabel('Recovery code', { exact: true }).fill(first ?? '');
  await other.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(other.getByText('This code is wrong, or was used before')).toBeVisible();
  await other.getByLabel('Recovery code', { exact: true }).fill(fresh ?? '');
  await other.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(portfolio(other)).toBeVisible();
});

test('a copy of a passkey is noticed, and the passkey is disabled', async ({ browser, bolts }) => {
  const { page } = await registered(browser, bolts, 'copied');
  const phone = await authenticator(page);
  await protect(page, 'My phone');
  const [copy] = await phone.credentials();
  if (!copy) throw new Error('no passkey');
  for (let round = 0; round < 2; round += 1) {
    await page.context().clearCookies();
    await signInAlone(page);
    await expect(portfolio(page)).toBeVisible();
  }
  const thief = await stranger(browser, bolts);
  await (await authenticator(thief)).add(copy);
  await signInAlone(thief);
  await expect(thief.getByText('This passkey is disabled, because a copy of it may exist.')).toBeVisible();
  await page.goto('/account#security');
  await expect(factor(page).getByText('Disabled, because a copy of it may exist.')).toBeVisible();
  await page.goto('/');
  await page.getByRole('button', { name: /notification/i }).click();
  await expect(page.getByText('Passkey Disabled')).toBeVisible();
});

test('an authenticator without a verified user, and a page at another address, get nothing', async ({
  browser,
  bolts,
}) => {
  const { page } = await registered(browser, bolts, 'phished');
  const phone = await authenticator(page);
  await protect(page, 'My phone');
  await page.context().clearCookies();
  await phone.verify(false);
  await signInAlone(page);
  await expect(page.getByText('Your browser gave no passkey.')).toBeVisible();
  await phone.verify(true);
  // A page at another address gets no challenge from the server, and the browser gives no passkey to it.
  await page.goto(`${bolts.origin.replace('localhost', '127.0.0.1')}/auth`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByText('This request did not come from a page of this site.')).toBeVisible();
  await page.route('**/api/auth/login/passkey/options', async (route) => {
    const response = await route.fetch({ headers: { ...route.request().headers(), origin: bolts.origin } });
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByText('Passkeys work only at the public address of this site.')).toBeVisible();
});
