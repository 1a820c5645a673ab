import type { User } from '../../src/api/types';
import { answer, change, click, inSequence, openDialog, refuse, type Scene } from './scene';

export const accountScenes: Scene[] = [
  { name: 'account', as: 'ada', path: '/account', shows: 'Account Overview' },
  { name: 'account without a name', as: 'newbie', path: '/account', shows: 'Not set' },
  {
    name: 'account in big figures',
    as: 'rich',
    path: '/account',
    given: (page) =>
      change<User>(page, '**/api/auth/user', (user) => ({ ...user, satsBalance: 987_654_321 })),
    shows: '9.87654321',
  },
  {
    name: 'account with a stopped webhook',
    as: 'ada',
    path: '/account#notifications',
    given: (page) =>
      answer(page, '**/api/notifications/webhook', {
        url: `https://hook.example/${'a-long-address/'.repeat(8)}`,
        since: '2026-11-20T12:00:00Z',
        stopped: 'status 410',
      }),
    shows: 'Remove Webhook',
  },
  {
    name: 'account with API keys',
    as: 'ada',
    path: '/account#security',
    given: (page) =>
      answer(page, '**/api/auth/keys', [
        {
          id: 'k-1',
          name: 'Unbreakablywrittenkeynameoffiftycharactersintotal',
          beginning: 'bolts_3xK9aQ',
          scopes: ['read', 'bet', 'withdraw'],
          createdAt: '2026-03-01T12:00:00Z',
          expiresAt: '2026-05-30T12:00:00Z',
          lastUsedAt: '2026-03-01T12:05:00Z',
        },
        {
          id: 'k-2',
          name: 'Reader',
          beginning: 'bolts_mJ8b7V',
          scopes: ['read'],
          createdAt: '2026-03-01T12:00:00Z',
          expiresAt: '2026-05-30T12:00:00Z',
          lastUsedAt: null,
        },
      ]),
    when: click('Revoke Reader'),
    shows: 'Programs that use it stop working at once.',
  },
  {
    name: 'account with an API key that is made, with errors',
    as: 'ada',
    path: '/account#security',
    when: (page) => inSequence(page, click('Make a key'), click('Make key')),
    shows: 'A name is required',
  },
  {
    name: 'account with a new API key',
    as: 'ada',
    path: '/account#security',
    given: (page) =>
      page.route('**/api/auth/keys', (route) => {
        const isNew = route.request().method() === 'POST';
        return route.fulfill({ json: isNew ? { secret: `bolts_${'3xK9aQd0'.repeat(5)}abc` } : [] });
      }),
    when: (page) =>
      inSequence(
        page,
        click('Make a key'),
        () => page.getByLabel('Name of the key').fill('Bot'),
        () => page.getByLabel('Your password', { exact: true }).fill('secret'),
        click('Make key'),
      ),
    shows: 'Copy the key now. It is not shown again.',
  },
  {
    name: 'account with errors',
    as: 'ada',
    path: '/account',
    when: (page) =>
      inSequence(
        page,
        () => page.getByLabel('Username').fill('no'),
        click('Save Changes'),
        click('Update Password'),
      ),
    shows: 'Current password is required',
  },
  {
    name: 'account refused',
    as: 'ada',
    path: '/account',
    given: (page) => refuse(page, '**/api/auth/profile', 409, 'This username is already taken.'),
    when: click('Save Changes'),
    shows: 'This username is already taken.',
    refused: [409],
  },
  {
    name: 'account that cannot be deleted',
    as: 'ada',
    path: '/account#data',
    given: (page) =>
      answer(page, '**/api/account/deletion', {
        obstacles: [
          { kind: 'open_bets', count: 12, text: '12 open bets' },
          { kind: 'disputed_bets', count: 1, text: '1 bet in dispute' },
          { kind: 'arbiter_tasks', count: 2, text: '2 open bets as their arbiter' },
          { kind: 'sats', count: 100_000_000, text: '100,000,000 sats on your balance' },
          { kind: 'cooldown', count: 23, text: 'a rest of 23 more hours' },
        ],
      }),
    when: (page) => openDialog(page, 'Delete account'),
    shows: 'Your account cannot be deleted yet.',
    window: true,
  },
  {
    name: 'deletion of an account with errors',
    as: 'ada',
    path: '/account#data',
    given: (page) => answer(page, '**/api/account/deletion', { obstacles: [] }),
    when: (page) =>
      inSequence(
        page,
        (page) => openDialog(page, 'Delete account'),
        () => page.getByRole('button', { name: 'Delete my account' }).click(),
      ),
    shows: 'Your password is required',
    window: true,
  },
];
