import type { APIRequestContext } from '@playwright/test';
import { expect, test } from './bolts';
import { expectClean, PASSWORD, registered } from './people';

/** The status of a request of a program, which has neither cookies nor the headers of a browser. */
async function status(program: APIRequestContext, path: string, key: string) {
  const answer = await program.get(path, { headers: { Authorization: `Bearer ${key}` } });
  return answer.status();
}

test('make an API key, let a program use it, revoke it', async ({ browser, bolts, playwright }) => {
  const ada = await registered(browser, bolts, 'ada');
  const { page } = ada;
  await page.goto('/account#security');
  const card = page.getByRole('region', { name: 'API keys' });
  await card.getByRole('button', { name: 'Make a key' }).click();
  await card.getByLabel('Name of the key').fill('Trading bot');
  await expect(card.getByRole('checkbox', { name: 'Withdraw' })).not.toBeChecked();
  await card.getByLabel('Your password', { exact: true }).fill(PASSWORD);
  await card.getByRole('button', { name: 'Make key' }).click();
  const key = await card.getByLabel('Your new key').inputValue();

  const program = await playwright.request.newContext({ baseURL: bolts.origin });
  expect(await status(program, '/api/bets/my', key)).toBe(200);
  expect(await status(program, '/api/auth/keys', key)).toBe(403);

  await page.reload();
  await expect(card.getByText(`${key.slice(0, 12)}… · Read`)).toBeVisible();
  await expect(card.getByLabel('Your new key')).toHaveCount(0);
  await card.getByRole('button', { name: 'Revoke Trading bot' }).click();
  await card.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(card.getByText('You have no API keys.')).toBeVisible();
  expect(await status(program, '/api/bets/my', key)).toBe(401);
  await program.dispose();
  expectClean(bolts);
});
