import type { Page, Route } from '@playwright/test';
import type { Bet } from '../../src/api/types';
import { expect } from '../bolts';
import type { BetName, Role, Stage } from './stage';

/** One screen for one role in one state. */
export interface Scene {
  /** The state, after the name of the group. The screenshot has this name. */
  name: string;
  as: Role;
  path: string | ((stage: Stage) => string);
  /** Runs before the page opens. Holds, refuses or changes answers. */
  given?: (page: Page, stage: Stage) => Promise<unknown>;
  /** The user's actions on the page. */
  when?: (page: Page, stage: Stage) => Promise<unknown>;
  /** A text that shows that the state is reached. */
  shows: string | RegExp;
  /** Whether the state is the loading page itself. */
  loading?: boolean;
  /** The statuses of failed loads that belong to the state. */
  refused?: number[];
  /** Whether only the visible window matters, as for a dialog above the page. */
  window?: boolean;
}

export const betPath = (name: BetName) => (stage: Stage) => `/bet/${stage.bets[name].id}`;
export const privatePath = (stage: Stage) =>
  `/bet/${stage.bets.pendingPrivate.id}?token=${stage.bets.pendingPrivate.shareToken}`;
export const sharePath = (name: BetName) => (stage: Stage) => `/share/${stage.bets[name].shareToken}`;

/** The answer never comes. */
export const hold = (page: Page, url: string | RegExp) =>
  page.route(url, () => new Promise<void>(() => undefined));

/** An error as the server sends it, with the id of the request instead of a reason. */
export const refuse = (
  page: Page,
  url: string | RegExp,
  status = 500,
  detail = 'Something broke on our side.',
) =>
  page.route(url, (route) =>
    route.fulfill({
      status,
      contentType: 'application/problem+json',
      body: JSON.stringify({ type: 'about:blank', title: 'Problem', status, code: 'internal', detail }),
    }),
  );

export const answer = (page: Page, url: string | RegExp, body: unknown) =>
  page.route(url, (route) => route.fulfill({ json: body }));

/** The server's answer with one change, for states that would take days or real sats to reach. */
export const change = <T>(page: Page, url: string | RegExp, by: (body: T) => T) =>
  page.route(url, async (route: Route) => {
    const fetched = await route.fetch();
    await route.fulfill({ response: fetched, json: by(await fetched.json()) });
  });

export const changeBet = (page: Page, stage: Stage, name: BetName, by: Partial<Bet>) =>
  change<Bet>(page, new RegExp(`/api/bets/${stage.bets[name].id}$`), (bet) => ({ ...bet, ...by }));

export const click = (name: string | RegExp) => (page: Page) =>
  page
    .getByRole('main')
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click();

export async function inSequence(page: Page, ...steps: ((page: Page) => Promise<unknown>)[]) {
  for (const step of steps) await step(page);
}

export async function openDialog(page: Page, opener: string | RegExp) {
  await click(opener)(page);
  await expect(page.getByRole('dialog')).toBeVisible();
}

export async function openNotifications(page: Page) {
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await expect(page.getByRole('heading', { name: 'Notifications' })).toBeVisible();
}

export async function openMenu(page: Page) {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('navigation', { name: 'Menu' })).toBeVisible();
}
