import type { Browser, Page } from '@playwright/test';
import type { Problem } from '../src/api/types';
import { type Bolts, expect, test, withBolts } from './bolts';
import { expectLoaded, watchForTrouble } from './checks';
import { createThroughApi, post, registered, setProfile, takeThroughApi } from './people';

/**
 * Texts as attackers write them. If a page treats one of these texts as code, a script runs, a dialog opens or the page
 * loads a forbidden address. The test detects all three.
 */
const PAYLOADS = [
  '<script>window.stolen=1</script>',
  '"><img src=x onerror=window.stolen=1>',
  "'><svg/onload=window.stolen=1>",
  '</title></textarea><script>alert(1)</script>',
  '<iframe srcdoc="<script>parent.stolen=1</script>">',
  '<a href="javascript:window.stolen=1">click</a>',
  '{{constructor.constructor("window.stolen=1")()}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the text that an attacker would write
  '${window.stolen=1}',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=window.stolen=1>',
  '&lt;script&gt;window.stolen=1&lt;/script&gt;',
  '<style>*{background:url(//127.0.0.1:1/leak)}</style>',
  '<meta http-equiv=refresh content="0;url=//127.0.0.1:1/">',
  '\u202Egnp.exe\u202C <base href=//127.0.0.1:1/>',
];
const DAY_MS = 24 * 3_600_000;
const FAR = 'http://127.0.0.1:1';
const SOURCES = [
  `https://example.com/"onmouseover="window.stolen=1`,
  'https://example.com/?q=<script>window.stolen=1</script>',
  'https://javascript:window.stolen=1@example.com/',
];

/**
 * Usernames that code could confuse with a keyword or a property. All are valid, because the server does not store
 * other names.
 */
const NAMES = ['constructor', '__proto__', 'null', 'undefined', 'script_alert_1'];

async function expectHarmless(page: Page, trouble: string[], what: string) {
  expect(await page.evaluate(() => 'stolen' in window), `${what} ran a script`).toBe(false);
  expect(await page.locator('main :is(script, iframe, style, base, meta, math)').count(), what).toBe(0);
  expect(await page.locator('main [onerror], main [onload], main [onmouseover]').count(), what).toBe(0);
  expect(await page.locator('a[href^="javascript:" i]').count(), what).toBe(0);
  expect(trouble, what).toEqual([]);
}

test('what users write is shown as text on every page', async ({ browser }) => {
  test.setTimeout(400_000);
  // The test has a server of its own: its disputes would fill the first page of the other tests' admin panel.
  await withBolts((bolts) => expectTextEverywhere(browser, bolts));
});

async function expectTextEverywhere(browser: Browser, bolts: Bolts) {
  const maker = await registered(browser, bolts, 'mallory');
  const taker = await registered(browser, bolts, 'victim');
  bolts.run('admin', 'grant', taker.email);
  const admin = taker;
  const trouble = await watchForTrouble(taker.page);
  const asked: string[] = [];
  taker.page.on('request', (request) => asked.push(request.url()));

  for (const [index, payload] of PAYLOADS.entries()) {
    await setProfile(maker, bolts, {
      username: NAMES[index % NAMES.length] ?? '',
      firstName: '<b>bold</b>',
      lastName: '"><script>window.stolen=1</script>',
    });
    const bet = await createThroughApi(maker, bolts, {
      title: `${index} ${payload}`,
      description: `${payload}\n${payload}`,
      optionA: `${payload} A`.slice(-100),
      optionB: `${payload} B`.slice(-100),
      sourceUrl: SOURCES[index % SOURCES.length] ?? null,
      stakeAmount: 1,
      isPrivate: index % 2 === 1,
    });
    const { page } = taker;
    const key = bet.shareToken ?? bet.id;
    await page.goto(`/bet/${key}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(bet.title);
    // The test looks only at the main part, because the hidden notifications contain the same texts.
    const main = page.getByRole('main');
    await expect(main.getByText(bet.optionA, { exact: true }).first()).toBeVisible();
    await expect(main.getByText((bet.description ?? '').split('\n')[0] ?? '').first()).toBeVisible();
    await expectHarmless(page, trouble, `bet page with ${payload}`);
    if (bet.shareToken) {
      await page.goto(`/share/${bet.shareToken}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(bet.title);
      await expectHarmless(page, trouble, `share page with ${payload}`);
    }
    await takeThroughApi(taker, bolts, bet);
    await post(maker, bolts, `/api/bets/${bet.id}/early-resolution`);
    await post(maker, bolts, `/api/bets/${bet.id}/dispute`, { reason: payload });
    await page.goto(`/bet/${key}`);
    await expect(page.getByText('Under review')).toBeVisible();
    await expectHarmless(page, trouble, `disputed bet with ${payload}`);
  }
  for (const path of ['/marketplace?status=all', '/portfolio', '/admin', '/achievements', '/account']) {
    await admin.page.goto(path);
    await expect(admin.page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectLoaded(admin.page);
    if (path === '/portfolio')
      await expect(
        admin.page
          .getByRole('main')
          .getByText(PAYLOADS[0] ?? '')
          .first(),
      ).toBeVisible();
    await expectHarmless(admin.page, trouble, path);
  }
  await admin.page.getByRole('button', { name: /^Notifications/ }).click();
  await expect(
    admin.page.getByRole('region', { name: 'Notifications' }).getByRole('listitem').first(),
  ).toBeVisible();
  await expectHarmless(admin.page, trouble, 'notifications');
  expect(
    asked.filter((url) => !url.startsWith(bolts.origin)),
    'nothing is fetched from elsewhere',
  ).toEqual([]);
  expect(asked.filter((url) => url.startsWith(FAR))).toEqual([]);
  await maker.page.context().close();
  await taker.page.context().close();
}

test('a name or a source that could be more than text is refused', async ({ browser, bolts }) => {
  const { page } = await registered(browser, bolts, 'eve');
  for (const username of PAYLOADS) {
    const answer = await page.request.patch('/api/auth/profile', {
      headers: { Origin: bolts.origin },
      data: { username, firstName: '', lastName: '' },
    });
    expect(answer.status(), username).toBe(422);
  }
  for (const sourceUrl of [
    'javascript:alert(1)',
    'data:text/html,<script>1</script>',
    'vbscript:x',
    ' file:///etc/passwd',
  ]) {
    const answer = await page.request.post('/api/bets', {
      headers: { Origin: bolts.origin },
      data: {
        title: 'A bet with a bad source',
        optionA: 'a',
        optionB: 'b',
        stakeAmount: 1,
        currencyType: 'bolts',
        category: 'Other',
        resolutionMethod: 'Mutual Agreement',
        creatorOption: 'A',
        expiresAt: new Date(Date.now() + DAY_MS).toISOString(),
        sourceUrl,
      },
    });
    expect(answer.status(), sourceUrl).toBe(422);
    const { errors } = (await answer.json()) as Problem;
    expect(
      errors.map(({ field }) => field),
      'refused for its source alone',
    ).toEqual(['sourceUrl']);
  }
  await page.context().close();
});

test('a text begins at the side where its script begins', async ({ browser, bolts }) => {
  const person = await registered(browser, bolts, 'noa');
  const { page } = person;
  for (const [description, side] of [
    ['לפי השירות המטאורולוגי, עד חצות.', 'right'],
    ['By the weather service, until midnight.', 'left'],
  ] as const) {
    const bet = await createThroughApi(person, bolts, { description });
    await page.goto(`/bet/${bet.id}`);
    const text = page.getByText(description);
    await expect(text).toBeVisible();
    const gap = await text.evaluate((element, edge) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return Math.abs(range.getBoundingClientRect()[edge] - element.getBoundingClientRect()[edge]);
    }, side);
    expect(gap, description).toBeLessThan(2);
  }
  await page.context().close();
});
