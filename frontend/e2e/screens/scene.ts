import type { Page, Route } from '@playwright/test';
import type { Bet } from '../../src/api/types';
import { expect } from '../bolts';
import type { BetName, Role, Stage } from './stage';

/** One screen as one role sees it in one state. */
export interface Scene {
  /** What it shows, after the group's name; the screenshots are called so. */
  name: string;
  as: Role;
  path: string | ((stage: Stage) => string);
  /** Set up before the page opens: answers that are held back, refused or changed. */
  given?: (page: Page, stage: Stage) => Promise<unknown>;
  /** What its user does there. */
  when?: (page: Page, stage: Stage) => Promise<unknown>;
  /** Words that tell that the state is reached. */
  shows: string | RegExp;
  /** Loading itself is the state. */
  loading?: boolean;
  /** Statuses that the browser may report as failed loads, which belong to the state. */
  refused?: number[];
  /** Only what is in the window is of interest, such as a dialog above the page. */
  window?: boolean;
}

export const betPath = (name: BetName) => (stage: Stage) => `/bet/${stage.bets[name].id}`;
export const privatePath = (stage: Stage) =>
  `/bet/${stage.bets.pendingPrivate.id}?token=${stage.bets.pendingPrivate.shareToken}`;
export const sharePath = (name: BetName) => (stage: Stage) => `/share/${stage.bets[name].shareToken}`;

/** The answer never comes. */
export const hold = (page: Page, url: string | RegExp) =>
  page.route(url, () => new Promise<void>(() => undefined));

/** Such as the server answers, with the request's id instead of reasons. */
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

/** What the server answers, but for one thing: for states that take days, or real sats, to come to. */
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
