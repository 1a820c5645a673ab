import { expect, test } from './bolts';
import { watchForTrouble } from './checks';
import { createThroughApi, registered } from './people';

/** The maximum time that the test holds back the script to wait for a missing request. */
const SCRIPT_MS = 10_000;

test('what a page reads is asked for once, while its script is still on its way', async ({
  browser,
  bolts,
}) => {
  const ann = await registered(browser, bolts, 'ann');
  const bet = await createThroughApi(ann, bolts, { isPublic: true });
  const trouble = await watchForTrouble(ann.page);
  // The event stream gets no answer, because its first event may tell the page to read again.
  await ann.page.route('**/api/events', () => {});
  const asked: string[] = [];
  ann.page.on('request', (request) => asked.push(request.url().replace(bolts.origin, '')));
  let before: string[] = [];
  let wanted: string[] = [];
  await ann.page.route(/\/assets\/main\..*\.js$/, async (route) => {
    const limit = Date.now() + SCRIPT_MS;
    while (Date.now() < limit && !wanted.every((read) => asked.includes(read)))
      await new Promise((resolve) => setTimeout(resolve, 50));
    before = [...asked];
    await route.continue();
  });

  for (const [path, reads] of [
    [
      '/portfolio',
      [
        '/api/users/stats',
        '/api/bets/turn-count',
        '/api/bets/my?limit=100',
        '/api/bets/my?limit=100&turn=mine',
        '/api/bets/arbitrated',
      ],
    ],
    ['/marketplace?sort=stake_desc', ['/api/bets/stats', '/api/bets/public?sort=stake_desc&status=active']],
    ['/achievements', ['/api/achievements']],
    ['/account', ['/api/auth/user']],
    [`/bet/${bet.id}`, [`/api/bets/${bet.id}`, `/api/bets/${bet.id}/timeline`]],
  ] as const) {
    asked.length = 0;
    wanted = [...reads, '/api/config'];
    await ann.page.goto(path);
    await expect(ann.page.getByRole('heading', { level: 1 })).toBeVisible();
    await ann.page.waitForLoadState('networkidle');
    for (const read of wanted) {
      expect(before, path).toContain(read);
      // After an achievement is unlocked, the page claims the reward and reads the list of achievements again.
      if (read !== '/api/achievements')
        expect(
          asked.filter((url) => url === read),
          path,
        ).toEqual([read]);
    }
  }
  expect(trouble).toEqual([]);
});
