import { expect, test } from './bolts';
import {
  createThroughApi,
  createThroughForm,
  expectBalance,
  expectClean,
  expectStatus,
  type Person,
  registered,
} from './people';

async function named(person: Person, origin: string, username: string) {
  const answer = await person.page.request.patch('/api/auth/profile', {
    data: { username },
    headers: { Origin: origin },
  });
  expect(answer.status()).toBe(200);
}

async function post(person: Person, origin: string, path: string, data: object) {
  const answer = await person.page.request.post(path, { data, headers: { Origin: origin } });
  expect(answer.ok(), await answer.text()).toBe(true);
}

for (const [device, viewport] of [
  ['a desktop', { width: 1280, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
] as const) {
  test(`a named arbiter rules on a dispute, on ${device}`, async ({ browser, bolts }) => {
    const umpire = `umpire_${device.length}_${Date.now() % 100_000}`;
    const [a, b, eve] = [
      await registered(browser, bolts, 'ann', { viewport }),
      await registered(browser, bolts, 'bob', { viewport }),
      await registered(browser, bolts, 'eve', { viewport }),
    ];
    await named(eve, bolts.origin, umpire);

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

    await post(a, bolts.origin, `/api/bets/${id}/early-resolution`, {});
    await post(b, bolts.origin, `/api/bets/${id}/dispute`, { reason: 'The report was withdrawn.' });
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
}

test('a declined invitation leaves the dispute to the admins', async ({ browser, bolts }) => {
  const a = await registered(browser, bolts, 'ann');
  const eve = await registered(browser, bolts, 'eve');
  const umpire = `no_umpire_${Date.now() % 100_000}`;
  await named(eve, bolts.origin, umpire);
  const bet = await createThroughApi(a, bolts, { title: 'An invitation to decline', arbiter: umpire });
  await eve.page.goto(`/bet/${bet.id}`);
  await eve.page.getByRole('button', { name: 'Decline', exact: true }).click();
  await expect(eve.page.getByText('You declined. An admin rules if the two sides disagree.')).toBeVisible();
  await a.page.goto(`/bet/${bet.id}`);
  await expect(
    a.page.getByText(`${umpire} declined to be the arbiter. An admin rules`).first(),
  ).toBeVisible();
});
