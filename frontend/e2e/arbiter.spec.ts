import { expect, test } from './bolts';
import {
  createThroughApi,
  createThroughForm,
  expectBalance,
  expectClean,
  expectStatus,
  post,
  registered,
  setProfile,
} from './people';
import { PHONE, WIDE } from './sizes';

test('a named arbiter rules on a dispute', async ({ browser, bolts }) => {
  const umpire = `umpire_${Date.now() % 100_000}`;
  const [a, b, eve] = [
    await registered(browser, bolts, 'ann', { viewport: WIDE }),
    await registered(browser, bolts, 'bob', { viewport: PHONE }),
    await registered(browser, bolts, 'eve', { viewport: PHONE }),
  ];
  await setProfile(eve, bolts, { username: umpire });

  // The creator finds the arbiter by the beginning of the username.
  const title = `Ruled by ${umpire}`;
  await createThroughForm(a.page, { title, stake: 200, arbiter: umpire });
  const path = new URL(a.page.url()).pathname;
  const id = path.split('/').pop();

  // The acceptor reads who would rule before staking. The arbiter accepts meanwhile.
  await b.page.goto(path);
  await expect(b.page.getByText(`${umpire} is invited to be the arbiter`).first()).toBeVisible();
  await eve.page.goto('/portfolio');
  await expect(eve.page.getByRole('heading', { name: 'To rule' })).toBeVisible();
  await eve.page.getByRole('link', { name: title }).first().click();
  await eve.page.getByRole('button', { name: 'Be the Arbiter' }).click();
  await expect(eve.page.getByRole('heading', { name: 'You are the arbiter' })).toBeVisible();
  await b.page.reload();
  await expect(b.page.getByText(`${umpire} is the arbiter and rules`).first()).toBeVisible();
  await b.page.getByRole('button', { name: 'Take This Bet' }).click();
  await expectStatus(b.page, 'LIVE');

  await post(a, bolts, `/api/bets/${id}/early-resolution`);
  await post(b, bolts, `/api/bets/${id}/dispute`, { reason: 'The report was withdrawn.' });
  await eve.page.reload();
  await expect(eve.page.getByRole('heading', { name: 'Rule on this dispute' })).toBeVisible();
  await expect(eve.page.getByText('The report was withdrawn.').first()).toBeVisible();
  await eve.page.getByRole('radio', { name: /No, it does not/ }).check();
  await eve.page
    .getByRole('textbox', { name: /Note to both sides/ })
    .fill('The withdrawal is on the record.');
  await eve.page.getByRole('button', { name: 'Rule', exact: true }).click();
  await eve.page.getByRole('dialog').getByRole('button', { name: 'Rule', exact: true }).click();
  await expectStatus(eve.page, 'SETTLED');
  await b.page.reload();
  await expect(b.page.getByText('The arbiter ruled.').first()).toBeVisible();
  await expectBalance(b.page, 1200);
  await expectBalance(a.page, 800);
  expectClean(bolts);
});

test('a declined invitation leaves the dispute to the admins', async ({ browser, bolts }) => {
  const a = await registered(browser, bolts, 'ann');
  const eve = await registered(browser, bolts, 'eve');
  const umpire = `no_umpire_${Date.now() % 100_000}`;
  await setProfile(eve, bolts, { username: umpire });
  const bet = await createThroughApi(a, bolts, { title: 'An invitation to decline', arbiter: umpire });
  await eve.page.goto(`/bet/${bet.id}`);
  await eve.page.getByRole('button', { name: 'Decline', exact: true }).click();
  await expect(eve.page.getByText('You declined. An admin rules if the two sides disagree.')).toBeVisible();
  await a.page.goto(`/bet/${bet.id}`);
  await expect(
    a.page.getByText(`${umpire} declined to be the arbiter. An admin rules`).first(),
  ).toBeVisible();
});
