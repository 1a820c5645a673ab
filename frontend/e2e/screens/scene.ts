import type { Page, Route } from '@playwright/test';
import type { Bet } from '../../src/api/types';
import { expect } from '../bolts';
import type { BetName, Role, Stage } from './stage';

/** A screen in one state, as one role sees it. */
export interface Scene {
  /** The name of the state. The name of the screenshot is the name of the group and this name. */
  name: string;
  as: Role;
  path: string | ((stage: Stage) => string);
  /** Runs before the page opens. It can hold, refuse or change the server's answers. */
  given?: (page: Page, stage: Stage) => Promise<unknown>;
  /** The user's actions on the page. */
  when?: (page: Page, stage: Stage) => Promise<unknown>;
  /** A text that the page shows once it is in the state. */
  shows: string | RegExp;
  /** Whether the state is a page that is still loading. */
  loading?: boolean;
  /** The HTTP statuses of the failed requests that the state causes. */
  refused?: number[];
  /**
   * Whether the screenshot shows only the visible window and not the full page. This is for a dialog above the page.
   */
  window?: boolean;
}

export const betPath = (name: BetName) => (stage: Stage) => `/bet/${stage.bets[name].id}`;
export const privatePath = (stage: Stage) =>
  `/bet/${stage.bets.pendingPrivate.id}?token=${stage.bets.pendingPrivate.shareToken}`;
export const sharePath = (name: BetName) => (stage: Stage) => `/share/${stage.bets[name].shareToken}`;

/** Holds the requests to `url` for ever, so that the page gets no answer. */
export const hold = (page: Page, url: string | RegExp) =>
  page.route(url, () => new Promise<void>(() => undefined));

/** Answers with an error in the format of the server. */
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

/** Changes the server's answer, for states that would take days or real sats to reach. */
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
