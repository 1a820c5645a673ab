import type { Page } from '@playwright/test';
import { answer, click, hold, inSequence, openDialog, openMenu, refuse, type Scene } from './scene';

const REDIRECT_MS = 1500;
const LISTS = '**/api/admin/{bets,disputes,actions}**';

const fillReset = (page: Page) =>
  inSequence(
    page,
    () =>
      page
        .getByRole('region', { name: 'Reset User Password' })
        .getByLabel('User Email')
        .fill('dev@example.com'),
    () => openDialog(page, 'Reset Password'),
  );

/** Prevents the redirect that the page normally makes after a moment. */
const stayDenied = (page: Page) =>
  page.addInitScript((delay) => {
    const after = window.setTimeout.bind(window);
    window.setTimeout = ((act: () => void, ms?: number) =>
      ms === delay ? 0 : after(act, ms)) as typeof window.setTimeout;
  }, REDIRECT_MS);

export const adminScenes: Scene[] = [
  { name: 'admin', as: 'admin', path: '/admin', shows: 'Action Log' },
  {
    name: 'admin empty',
    as: 'admin',
    path: '/admin',
    given: (page) => answer(page, LISTS, []),
    shows: 'No disputes to decide',
  },
  {
    name: 'admin loading',
    as: 'admin',
    path: '/admin',
    given: (page) => hold(page, LISTS),
    shows: 'Super Admin Panel',
    loading: true,
  },
  {
    name: 'admin failed',
    as: 'admin',
    path: '/admin',
    given: (page) => refuse(page, LISTS),
    shows: 'The disputes could not be loaded',
    refused: [500],
  },
  {
    name: 'admin with errors',
    as: 'admin',
    path: '/admin',
    when: (page) => inSequence(page, click('Deposit Bolts'), click('Reset Password'), click('Rule')),
    shows: 'Choose an outcome first',
  },
  {
    name: 'admin deposit to nobody',
    as: 'admin',
    path: '/admin',
    when: async (page) => {
      const card = page.getByRole('region', { name: 'Deposit Bolts to User' });
      await card.getByLabel('User Email').fill('nobody@example.com');
      await card.getByLabel('Amount in Bolts').fill('100000000');
      await card.getByRole('button', { name: 'Deposit Bolts' }).click();
    },
    shows: 'Failed to deposit Bolts',
    refused: [404],
    window: true,
  },
  {
    name: 'admin resetting',
    as: 'admin',
    path: '/admin',
    when: fillReset,
    shows: 'Reset the password of dev@example.com?',
    window: true,
  },
  {
    name: 'admin has reset',
    as: 'admin',
    path: '/admin',
    given: (page) =>
      answer(page, '**/api/admin/reset-password', { temporaryPassword: 'K7QZ-93MD-XW2A-5TRB' }),
    when: (page) =>
      inSequence(page, fillReset, () =>
        page.getByRole('dialog').getByRole('button', { name: 'Reset Password' }).click(),
      ),
    shows: 'One-time password of dev@example.com',
  },
  {
    name: 'admin deleting',
    as: 'admin',
    path: '/admin',
    when: (page) => openDialog(page, 'Delete & Refund'),
    shows: /This cannot be undone\./,
    window: true,
  },
  {
    name: 'admin asked before ruling',
    as: 'admin',
    path: '/admin',
    when: async (page) => {
      await page.getByRole('radio', { name: /^Void/ }).first().check();
      await openDialog(page, 'Rule');
    },
    shows: 'Rule this outcome?',
    window: true,
  },
  {
    name: 'admin ruling refused',
    as: 'admin',
    path: '/admin',
    given: (page) => refuse(page, '**/rule', 409, 'This bet is not disputed any more.'),
    when: async (page) => {
      await page.getByRole('radio', { name: /^Void/ }).first().check();
      await openDialog(page, 'Rule');
      await page.getByRole('dialog').getByRole('button', { name: 'Rule' }).click();
    },
    shows: 'Ruling Not Saved',
    refused: [409],
    window: true,
  },
  { name: 'admin menu', as: 'admin', path: '/admin', when: openMenu, shows: 'Logout', window: true },
  {
    name: 'admin denied',
    as: 'ben',
    path: '/admin',
    given: stayDenied,
    shows: 'Redirecting to home page...',
  },
];
