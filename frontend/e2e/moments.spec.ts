import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './bolts';
import { createThroughApi, expectStatus, registered } from './people';

const FOLDER = path.join(import.meta.dirname, '../screens/moments');
const MOVING = { reducedMotion: 'no-preference' } as const;

/** Stops what moves on these elements at an instant, so that it can be looked at; answers how long each runs. */
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

async function keep(page: Page, name: string) {
  mkdirSync(FOLDER, { recursive: true });
  await page.screenshot({ path: path.join(FOLDER, `${name}.png`) });
}

/** Slows all that moves, or a busy machine would be too late to see it; answers how to let it go on. */
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
    await createThroughApi(person, bolts, { stakeAmount: 10 });
    await page.goto('/achievements');
    const toast = page.getByText('Achievement Unlocked!');
    await expect(toast).toBeVisible();
    const began = Date.now();
    await expect
      .poll(() => freeze(page, '[data-testid=particle]', 300), { timeout: 3000 })
      .toEqual(Array(12).fill(900));
    const places = await page.getByTestId('particle').evaluateAll((particles) =>
      particles.map((particle) => {
        const { x, y } = particle.getBoundingClientRect();
        return `${Math.round(x)} ${Math.round(y)}`;
      }),
    );
    expect(new Set(places).size, 'each flies its own way').toBe(12);
    await keep(page, `achievement at ${width}`);
    await letGo();
    await expect(toast).toHaveCount(0, { timeout: 15_000 });
    expect(Date.now() - began).toBeGreaterThan(4000);
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
  expect(await freeze(a.page, half, 60)).toEqual([180]);
  await keep(a.page, 'stub joins');
  await a.page.context().close();
  await b.page.context().close();
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
