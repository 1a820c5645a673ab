import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { expectAccessible, expectLoaded, expectNoSideScroll, watchForTrouble } from './checks';
import { adminScenes } from './screens/admin-scenes';
import { acceptorScenes, creatorScenes, strangerScenes } from './screens/bet-scenes';
import { deviceScenes } from './screens/device-scenes';
import { memberScenes } from './screens/member-scenes';
import { passkeys } from './screens/passkey-scenes';
import type { Scene } from './screens/scene';
import { expect, type Role, type Stage, test } from './screens/stage';
import { sessionScenes, visitorScenes } from './screens/visitor-scenes';
import { walletScenes } from './screens/wallet-scenes';
import { WIDE } from './sizes';

const GROUPS: Record<string, Scene[]> = {
  visitor: visitorScenes,
  session: sessionScenes,
  bet: [...creatorScenes, ...acceptorScenes, ...strangerScenes],
  member: memberScenes,
  passkeys,
  devices: deviceScenes,
  admin: adminScenes,
  wallet: walletScenes,
};

/**
 * With `SCREENS=full` the tests keep screenshots of each scene in both themes, and axe checks two widths. Otherwise the
 * tests keep no screenshots, and axe checks one width in the dark theme.
 */
const FULL = process.env.SCREENS === 'full';
const FOLDER = path.join(import.meta.dirname, '../screens');

type Theme = 'dark' | 'light';
const THEMES: Theme[] = FULL ? ['dark', 'light'] : ['dark'];

/** The widths of the window, in px. 640 px stands for a 1280 px window at 200 % zoom. */
const WIDTHS = [1280, 640, 390, 360, 320];
const KEPT = [1280, 390];
const SCANNED = FULL ? [1280, 360] : [360];

for (const theme of THEMES) {
  for (const [group, scenes] of Object.entries(GROUPS)) {
    for (const scene of scenes) {
      test(`${theme}: ${group}, ${scene.name}`, async ({ browser, stage }) => {
        const { page, trouble } = await opened(browser, stage, scene, theme);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: width < 700 ? 844 : 900 });
          // The scan below checks the side scroll too.
          if (!SCANNED.includes(width)) await expectNoSideScroll(page, `${scene.name} at ${width}`);
          if (FULL && KEPT.includes(width))
            await keep(page, `${group}, ${scene.name}`, theme, width, scene.window);
          if (SCANNED.includes(width))
            await expectAccessible(page, `${scene.name}, ${theme} at ${width}`, {
              withoutHeading: scene.loading,
            });
        }
        expect(trouble, scene.name).toEqual([]);
        await leave(page);
      });
    }
  }
}

/** The browser of each role. The scenes of a role share it, so that it loads and compiles the scripts once. */
const contexts = new Map<string, Promise<BrowserContext>>();

function contextOf(browser: Browser, stage: Stage, role: Role, theme: Theme) {
  const key = `${role} ${theme}`;
  const made =
    contexts.get(key) ??
    browser.newContext({
      baseURL: stage.bolts.origin,
      colorScheme: theme,
      reducedMotion: 'reduce',
      viewport: WIDE,
      ...(role === 'visitor' ? {} : { storageState: stage.actors[role].session }),
    });
  contexts.set(key, made);
  return made;
}

/** Closes the page of a scene, and leaves nothing of it to the next scene of the role. */
async function leave(page: Page) {
  const context = page.context();
  await page.evaluate(() => localStorage.clear());
  // The test first goes offline and leaves the page. Otherwise a request that the scene holds could reach the server and
  // change the data of a later scene.
  await context.setOffline(true);
  await page.goto('about:blank');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.close();
  await context.setOffline(false);
}

async function opened(browser: Browser, stage: Stage, scene: Scene, theme: Theme) {
  const context = await contextOf(browser, stage, scene.as, theme);
  const page = await context.newPage();
  const trouble = await watchForTrouble(page, scene.refused);
  await scene.given?.(page, stage);
  await page.goto(typeof scene.path === 'string' ? scene.path : scene.path(stage));
  await expect(page.locator('main :is(h1, [role=status])').first()).toBeVisible();
  await scene.when?.(page, stage);
  await expect(page.getByText(scene.shows).filter({ visible: true }).first()).toBeVisible();
  if (!scene.loading) await expectLoaded(page);
  await page.evaluate(() => document.fonts.ready);
  return { page, trouble };
}

async function keep(page: Page, name: string, theme: Theme, width: number, window = false) {
  const folder = path.join(FOLDER, `${theme} ${width}`);
  mkdirSync(folder, { recursive: true });
  await page.screenshot({
    path: path.join(folder, `${name}.png`),
    fullPage: !window,
    animations: 'disabled',
  });
}
