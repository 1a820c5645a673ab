import { expect, test } from './bolts';
import { press, tabTo } from './keys';
import { createThroughApi, expectBalance, expectClean, expectStatus, registered } from './people';

test('a dispute and its ruling without a mouse', async ({ browser, bolts }) => {
  const title = `Ruled by keyboard, case ${Date.now()}`;
  const a = await registered(browser, bolts, 'ida');
  const b = await registered(browser, bolts, 'jon');
  const admin = await registered(browser, bolts, 'kay');
  bolts.run('admin', 'grant', admin.email);
  const bet = await createThroughApi(a, bolts, { title });
  await b.page.goto(`/bet/${bet.id}`);
  await press(b.page, b.page.getByRole('button', { name: 'Take This Bet' }));
  await expectStatus(b.page, 'LIVE');

  await a.page.goto(`/bet/${bet.id}`);
  await press(a.page, a.page.getByRole('button', { name: 'End Bet Early' }));
  const confirmation = a.page.getByRole('dialog').getByRole('button', { name: 'End Bet Early' });
  await press(a.page, confirmation);
  await expectStatus(a.page, 'AWAITING RESOLUTION');
  await tabTo(a.page, a.page.getByRole('radio', { name: /^It happens$/ }));
  await a.page.keyboard.press('Space');
  await press(a.page, a.page.getByRole('button', { name: 'Propose Outcome' }));
  await expect(a.page.getByText('You proposed this outcome:')).toBeVisible();

  await b.page.reload();
  const opener = b.page.getByRole('button', { name: 'Dispute', exact: true });
  await press(b.page, opener);
  await tabTo(b.page, b.page.getByLabel('Reason'));
  await b.page.keyboard.type('The report was withdrawn in the evening.');
  await press(b.page, b.page.getByRole('button', { name: 'Send Dispute' }));
  await expect(b.page.getByText('Under review')).toBeVisible();

  await admin.page.goto('/portfolio');
  await press(
    admin.page,
    admin.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Admin' }),
  );
  await expect(admin.page.getByRole('heading', { level: 1, name: 'Super Admin Panel' })).toBeFocused();
  const dispute = admin.page.getByRole('article').filter({ hasText: 'The report was withdrawn' });
  await tabTo(admin.page, dispute.getByRole('radio').first());
  // Inside a radio group, the arrow keys change the choice.
  await admin.page.keyboard.press('ArrowDown');
  await expect(dispute.getByRole('radio', { name: /^It does not$/ })).toBeChecked();
  await tabTo(admin.page, dispute.getByLabel('Note'));
  await admin.page.keyboard.type('The withdrawal is on the record.');
  await press(admin.page, dispute.getByRole('button', { name: 'Rule' }));
  await press(admin.page, admin.page.getByRole('dialog').getByRole('button', { name: 'Rule' }));
  await expect(admin.page.getByText('Ruling Saved')).toBeVisible();
  await expect(dispute).toHaveCount(0);
  const log = admin.page.getByRole('listitem').filter({ hasText: 'ruled on' });
  // The test looks for this bet's entry, because other tests add entries to the same log of admin actions.
  await expect(log.locator(`a[href="/bet/${bet.id}"]`)).toBeVisible();

  await b.page.reload();
  await expectStatus(b.page, 'SETTLED');
  await expectBalance(b.page, 1200);
  await a.page.reload();
  await expect(a.page.getByText('An admin ruled.')).toBeVisible();
  await expectBalance(a.page, 800);
  expectClean(bolts);
});
