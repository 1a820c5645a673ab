import { type Bolts, expect, test } from './bolts';
import {
  createThroughApi,
  expectBalance,
  expectClean,
  expectStatus,
  type Person,
  registered,
} from './people';

/**
 * The lifetimes of the bet to try, in seconds. On a busy machine a page may not show the bet before it expires. Then
 * the test tries the next lifetime.
 */
const LIVES = [4, 20, 90];
const SWEPT_WITHIN_MS = 100_000;

test('a bet that nobody takes cancels itself while its page is open', async ({ browser, bolts }) => {
  test.setTimeout(300_000);
  const a = await registered(browser, bolts, 'eve');
  await a.page.goto('/portfolio');
  await expectBalance(a.page, 1000);
  await seenOpen(a, bolts);

  await expectStatus(a.page, 'CANCELLED', SWEPT_WITHIN_MS);
  await expect(a.page.getByText('Nobody took this bet in time.', { exact: false })).toBeVisible();
  await expectBalance(a.page, 1000);
  expectClean(bolts);
});

/** Creates a bet and opens its page, which shows the open bet and the balance without the stake. */
async function seenOpen(person: Person, bolts: Bolts) {
  for (const life of LIVES) {
    const end = Date.now() + life * 1000;
    const expiresAt = new Date(end).toISOString();
    const bet = await createThroughApi(person, bolts, { title: `Over in ${life} seconds`, expiresAt });
    const look = async () => {
      await person.page.goto(`/bet/${bet.id}`);
      await expectStatus(person.page, 'AWAITING CHALLENGER', life * 1000);
      await expectBalance(person.page, 800);
    };
    const failure = await look().catch((error: unknown) => error);
    if (!failure) return;
    if (life === LIVES.at(-1) || Date.now() < end) throw failure;
    await expectBalance(person.page, 1000);
  }
}
