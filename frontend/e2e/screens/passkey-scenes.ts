import type { Page } from '@playwright/test';
import type { Config, Factors } from '../../src/api/types';
import { change, type Scene } from './scene';

/** The site of the scenes has no domain, so these pages get the answers of one that has. */
const onDomain = (page: Page) =>
  change<Config>(page, '**/api/config', (config) => ({ ...config, hasPasskeys: true }));

const passkey = (id: string, name: string, isDisabled = false) => ({
  id,
  name,
  createdAt: '2026-01-05T09:00:00Z',
  lastUsedAt: id === '1' ? null : '2026-02-01T18:30:00Z',
  isDisabled,
});

const withPasskeys = async (page: Page) => {
  await onDomain(page);
  await change<Factors>(page, '**/api/auth/factors', (factors) => ({
    ...factors,
    recoveryCodesLeft: 3,
    passkeys: [
      passkey('1', 'Phone'),
      passkey('2', 'Unbreakablywrittennameofapasskeywithout40', true),
      passkey('3', 'Security key in the drawer of my desk'),
    ],
  }));
};

const click = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click();

export const passkeys: Scene[] = [
  {
    name: 'sign-in with passkeys',
    as: 'visitor',
    path: '/auth',
    given: onDomain,
    shows: 'Sign in with a passkey',
  },
  {
    name: 'account with passkeys',
    as: 'ada',
    path: '/account',
    given: withPasskeys,
    shows: 'Passkeys protect your account.',
  },
  {
    name: 'account adding a passkey',
    as: 'ada',
    path: '/account',
    given: onDomain,
    when: click('Add a passkey'),
    shows: 'Your browser asks where to keep the passkey.',
  },
  {
    name: 'account renaming a passkey',
    as: 'ada',
    path: '/account',
    given: withPasskeys,
    when: click('Rename Phone'),
    shows: 'Get new recovery codes',
  },
  {
    name: 'account removing a passkey',
    as: 'ada',
    path: '/account',
    given: withPasskeys,
    when: click('Remove Phone'),
    shows: /Also delete it on your device/,
  },
];
