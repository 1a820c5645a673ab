import { expect, test } from './bolts';
import { createThroughApi, expectBalance, expectStatus, PASSWORD, registered, signIn } from './people';

const OWN_PASSWORD = 'a password of my own';

test('a reset password has to be changed before anything else', async ({ browser, bolts }) => {
  const user = await registered(browser, bolts, 'forgetful');
  const admin = await registered(browser, bolts, 'boss');
  bolts.run('admin', 'grant', admin.email);
  await admin.page.goto('/admin');
  const reset = admin.page.getByRole('region', { name: 'Reset User Password' });
  await reset.getByLabel('User Email').fill(user.email);
  await reset.getByRole('button', { name: 'Reset Password' }).click();
  await admin.page.getByRole('dialog').getByRole('button', { name: 'Reset Password' }).click();
  await expect(admin.page.getByText('Password Reset Successfully')).toBeVisible();
  const oneTime = await reset.getByLabel(`One-time password of ${user.email}`).inputValue();
  await expect(admin.page.getByRole('listitem').filter({ hasText: 'reset the password of' })).toContainText(
    user.email,
  );
  await admin.page.reload();
  await expect(admin.page.getByRole('heading', { name: 'Super Admin Panel' })).toBeVisible();
  await expect(reset.getByLabel(/^One-time password of/)).toHaveCount(0);

  // The admin's reset of the password has ended the user's session.
  const { page } = user;
  await page.goto('/portfolio');
  await expect(page.getByRole('heading', { name: 'Bet on Anything with Anyone' })).toBeVisible();
  await signIn(page, user.email, PASSWORD);
  await expect(page.getByText('Login Failed')).toBeVisible();
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url());
  });
  await signIn(page, user.email, oneTime);
  await expect(page.getByRole('heading', { name: 'Choose a New Password' })).toBeVisible();
  await page.goto('/marketplace');
  await expect(page.getByRole('heading', { name: 'Choose a New Password' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(refused, 'the page asks for nothing that it may not see yet').toEqual([]);
  await page.getByLabel('One-Time Password', { exact: true }).fill(oneTime);
  await page.getByLabel('New Password', { exact: true }).fill(OWN_PASSWORD);
  await page.getByLabel('Confirm New Password', { exact: true }).fill(OWN_PASSWORD);
  await page.getByRole('button', { name: 'Update Password' }).click();
  await expect(page.getByRole('heading', { name: 'Bet Marketplace' })).toBeVisible();
  // The page repeats the reads that the server refused before the password was changed.
  const active = page.getByRole('term').filter({ hasText: 'Active Bets' });
  await expect(active.locator('xpath=following-sibling::dd')).toHaveText(/^\d+$/);
  await expect(page.getByText('The bets could not be loaded')).toHaveCount(0);
  await expectBalance(page, 1000);

  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: 'Bet on Anything with Anyone' })).toBeVisible();
  await signIn(page, user.email, OWN_PASSWORD);
  await expect(page.getByRole('heading', { name: 'My Portfolio' })).toBeVisible();
});

test('names and password are changed on the account page', async ({ browser, bolts }) => {
  const taken = `taken_${process.pid}`.slice(0, 20);
  const other = await registered(browser, bolts, 'other');
  await other.page.goto('/account');
  await other.page.getByLabel('Username').fill(taken);
  await other.page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(other.page.getByText('Profile Updated')).toBeVisible();

  const { page, email } = await registered(browser, bolts, 'nora');
  await page.goto('/account');
  const overview = page.getByRole('region', { name: 'Account Overview' });
  await expect(overview).toContainText(email);
  await expect(overview).toContainText('Not set');
  await page.getByLabel('Username').fill(taken.toUpperCase());
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByLabel('Username')).toHaveAccessibleDescription(/already taken/);
  await page.getByLabel('Username').fill(`nora_${process.pid}`.slice(0, 20));
  await page.getByLabel(/First Name/).fill('<script>alert(1)</script>');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Profile Updated')).toBeVisible();
  await expect(overview).toContainText(`nora_${process.pid}`.slice(0, 20));

  await page.getByLabel('Current Password', { exact: true }).fill('not the one');
  await page.getByLabel('New Password', { exact: true }).fill(OWN_PASSWORD);
  await page.getByLabel('Confirm New Password', { exact: true }).fill(OWN_PASSWORD);
  await page.getByRole('button', { name: 'Update Password' }).click();
  await expect(page.getByLabel('Current Password', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Current Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Update Password' }).click();
  await expect(page.getByText('Password Updated')).toBeVisible();
  await page.reload();
  await expect(overview).toContainText('nora_');
});

test('an admin gives Bolts, and the open page of the user shows them at once', async ({ browser, bolts }) => {
  const user = await registered(browser, bolts, 'gifted');
  const admin = await registered(browser, bolts, 'giver');
  bolts.run('admin', 'grant', admin.email);
  await user.page.goto('/account');
  await expectBalance(user.page, 1000);
  await admin.page.goto('/admin');
  const deposit = admin.page.getByRole('region', { name: 'Deposit Bolts to User' });
  await deposit.getByLabel('User Email').fill(user.email);
  await deposit.getByLabel('Amount in Bolts').fill('2500');
  await deposit.getByRole('button', { name: 'Deposit Bolts' }).click();
  await expect(admin.page.getByText('Bolts deposited successfully')).toBeVisible();
  await expectBalance(user.page, 3500);

  const bet = await createThroughApi(user, bolts, { title: `To be deleted ${Date.now()}` });
  await admin.page.reload();
  const row = admin.page.getByRole('article').filter({ hasText: bet.title });
  await row.getByRole('button', { name: 'Delete & Refund' }).click();
  await expect(admin.page.getByRole('dialog')).toContainText('All participants will be refunded');
  await admin.page.getByRole('dialog').getByRole('button', { name: 'Delete & Refund' }).click();
  await expect(admin.page.getByText('Bet deleted and refunds processed')).toBeVisible();
  await expect(row).toHaveCount(0);
  await expectBalance(user.page, 3500);
});

test('offline is said, and what happened meanwhile shows afterwards', async ({ browser, bolts }) => {
  const a = await registered(browser, bolts, 'off');
  const b = await registered(browser, bolts, 'on');
  const bet = await createThroughApi(a, bolts);
  await a.page.goto(`/bet/${bet.id}`);
  await expectStatus(a.page, 'AWAITING CHALLENGER');
  await a.page.context().setOffline(true);
  await expect(a.page.getByText('You are offline. What you see may be out of date.')).toBeVisible();
  await b.page.goto(`/bet/${bet.id}`);
  await b.page.getByRole('button', { name: 'Take This Bet' }).click();
  await expectStatus(b.page, 'LIVE');
  await expectStatus(a.page, 'AWAITING CHALLENGER');
  await a.page.context().setOffline(false);
  await expect(a.page.getByText('You are offline.', { exact: false })).toHaveCount(0);
  await expectStatus(a.page, 'LIVE');
});
