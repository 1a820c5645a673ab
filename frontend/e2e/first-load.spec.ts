import { expect, test } from './bolts';
import { watchForTrouble } from './checks';
import { createThroughApi, registered } from './people';

const SCRIPT_MS = 800;

test('what a page reads is asked for once, while its script is still on its way', async ({
  browser,
  bolts,
}) => {
  const ann = await registered(browser, bolts, 'ann');
  const bet = await createThroughApi(ann, bolts, { isPublic: true });
  const trouble = await watchForTrouble(ann.page);
  const asked: string[] = [];
  ann.page.on('request', (request) => asked.push(request.url().replace(bolts.origin, '')));
  let before: string[] = [];
  await ann.page.route(/\/assets\/main\..*\.js$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, SCRIPT_MS));
    before = [...asked];
    await route.continue();
  });

  for (const [path, reads] of [
    ['/portfolio', ['/api/users/stats', '/api/bets/my?limit=100']],
    ['/marketplace?sort=stake_desc', ['/api/bets/stats', '/api/bets/public?sort=stake_desc&status=active']],
    ['/achievements', ['/api/achievements']],
    ['/account', ['/api/withdrawals?limit=5', '/api/wallet/history']],
    [`/bet/${bet.id}`, [`/api/bets/${bet.id}`, `/api/bets/${bet.id}/timeline`]],
  ] as const) {
    asked.length = 0;
    await ann.page.goto(path);
    await expect(ann.page.getByRole('heading', { level: 1 })).toBeVisible();
    await ann.page.waitForLoadState('networkidle');
    for (const read of [...reads, '/api/config']) {
      expect(before, path).toContain(read);
      // Who has just unlocked an achievement claims it, and reads that list again.
      if (read !== '/api/achievements')
        expect(
          asked.filter((url) => url === read),
          path,
        ).toEqual([read]);
    }
  }
  expect(trouble).toEqual([]);
});
