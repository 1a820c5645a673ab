import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './bolts';
import { createThroughApi, expectStatus, post, registered, takeThroughApi } from './people';

const FOLDER = path.join(import.meta.dirname, '../screens/moments');
const MOVING = { reducedMotion: 'no-preference' } as const;

/** Stops the animations of the matching elements at the time `at`, in ms. Returns the duration of each animation. */
function freeze(page: Page, selector: string, at: number): Promise<number[]> {
  return page.evaluate(
    ({ selector, at }) => {
      const moving = [...document.querySelectorAll(selector)].flatMap((element) => element.getAnimations());
      for (const animation of moving) {
        animation.pause();
        animation.currentTime = at;
      }
      return moving.map((animation) => Number(animation.effect?.getComputedTiming().duration));
    },
    { selector, at },
  );
}

function placesOf(page: Page, testId: string): Promise<string[]> {
  return page.getByTestId(testId).evaluateAll((elements) =>
    elements.map((element) => {
      const { x, y } = element.getBoundingClientRect();
      return `${Math.round(x)} ${Math.round(y)}`;
    }),
  );
}

/** Makes the page itself measure how long it shows a text. On a busy machine, the test would see the text too late. */
function timeShowing(page: Page, words: string) {
  return page.addInitScript((words) => {
    let since = 0;
    new MutationObserver(() => {
      const shown = document.body?.textContent.includes(words) ?? false;
      if (shown && !since) since = performance.now();
      if (!shown && since) Object.assign(window, { shownFor: performance.now() - since });
    }).observe(document, { childList: true, subtree: true, characterData: true });
  }, words);
}

const shownFor = (page: Page) =>
  page.evaluate(() => Number((window as unknown as { shownFor?: number }).shownFor));

async function keep(page: Page, name: string) {
  mkdirSync(FOLDER, { recursive: true });
  await page.screenshot({ path: path.join(FOLDER, `${name}.png`) });
}

/**
 * Slows down all animations, because a test on a busy machine would otherwise miss them. The returned function restores
 * the normal speed.
 */
async function slowMotion(page: Page): Promise<() => Promise<unknown>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Animation.enable');
  const play = (playbackRate: number) => devtools.send('Animation.setPlaybackRate', { playbackRate });
  await play(0.01);
  return () => play(1);
}

test('an unlocked achievement bursts into 12 particles and leaves after five seconds', async ({
  browser,
  bolts,
}) => {
  for (const width of [1280, 390]) {
    const person = await registered(browser, bolts, 'burst', { ...MOVING, viewport: { width, height: 844 } });
    const { page } = person;
    const letGo = await slowMotion(page);
    await timeShowing(page, 'Achievement Unlocked!');
    await createThroughApi(person, bolts, { stakeAmount: 10 });
    await page.goto('/achievements');
    // Checks the particles right away, because the toast disappears after five seconds.
    let places: string[] = [];
    await expect
      .poll(async () => {
        const durations = await freeze(page, '[data-testid=particle]', 300);
        places = await placesOf(page, 'particle');
        return durations;
      })
      .toEqual(Array(12).fill(900));
    expect(new Set(places).size, 'each flies its own way').toBe(12);
    await keep(page, `achievement at ${width}`);
    await letGo();
    await expect(page.getByText('Achievement Unlocked!')).toHaveCount(0);
    expect(await shownFor(page)).toBeGreaterThan(4900);
    await page.context().close();
  }
});

test('the stub joins the slip when somebody takes the other side', async ({ browser, bolts }) => {
  const a = await registered(browser, bolts, 'watch', MOVING);
  const b = await registered(browser, bolts, 'takes');
  await slowMotion(a.page);
  const bet = await createThroughApi(a, bolts);
  await a.page.goto(`/bet/${bet.id}`);
  await expectStatus(a.page, 'AWAITING CHALLENGER');
  await b.page.goto(`/bet/${bet.id}`);
  await b.page.getByRole('button', { name: 'Take This Bet' }).click();
  await expectStatus(a.page, 'LIVE');
  const half = '[data-joined=true] > :last-child';
  await expect.poll(() => freeze(a.page, half, 60)).toEqual([180]);
  await keep(a.page, 'stub joins');
  await a.page.context().close();
  await b.page.context().close();
});

test('a win is stamped onto the slip', async ({ browser, bolts }) => {
  const a = await registered(browser, bolts, 'loses', MOVING);
  const b = await registered(browser, bolts, 'wins', MOVING);
  const bet = await createThroughApi(a, bolts);
  await takeThroughApi(b, bolts, bet);
  await post(a, bolts, `/api/bets/${bet.id}/propose-resolution`, { winningOption: 'B' });
  await post(b, bolts, `/api/bets/${bet.id}/respond-resolution`, { accept: true });
  await slowMotion(b.page);
  await b.page.goto(`/bet/${bet.id}`);
  await expect(b.page.getByText('You won!')).toBeVisible();
  await expect.poll(() => freeze(b.page, '[data-result=won] p', 200)).toEqual([420]);
  await keep(b.page, 'win');
  await b.page.context().close();

  await slowMotion(a.page);
  await a.page.goto(`/bet/${bet.id}`);
  await expect(a.page.getByText(/^This one goes to/)).toBeVisible();
  expect(await freeze(a.page, '[data-result] p', 0), 'a loss does not move').toEqual([]);
  await a.page.context().close();
});

test('nothing moves for those who asked for less motion', async ({ browser, bolts }) => {
  const person = await registered(browser, bolts, 'still', { reducedMotion: 'reduce' });
  const { page } = person;
  await createThroughApi(person, bolts, { stakeAmount: 10 });
  await page.goto('/achievements');
  await expect(page.getByText('Achievement Unlocked!')).toBeVisible();
  await expect(page.getByTestId('particle').first()).toBeHidden();
  const longest = await page.evaluate(() =>
    Math.max(
      0,
      ...document.getAnimations().map((moving) => Number(moving.effect?.getComputedTiming().endTime)),
    ),
  );
  expect(longest).toBeLessThan(1);
  await page.context().close();
});
