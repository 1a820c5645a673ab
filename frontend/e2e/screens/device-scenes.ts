import type { Page } from '@playwright/test';
import type { PushSubscriptions } from '../../src/api/types';
import { answer, betPath, type Scene } from './scene';

const HERE = 'https://push.example/here';

/** A browser that answers like this, because the browser of the scenes has neither a permission nor a push service. */
const browser = (page: Page, permission: NotificationPermission, isOn = false) =>
  page.addInitScript(
    ([permission, endpoint]) => {
      Object.defineProperty(Notification, 'permission', { get: () => permission });
      const registration = { pushManager: { getSubscription: async () => endpoint && { endpoint } } };
      ServiceWorkerContainer.prototype.getRegistration = async () => registration as never;
    },
    [permission, isOn ? HERE : null] as const,
  );

const device = (id: string, name: string | null, endpoint: string) => ({
  id,
  device: name,
  endpoint,
  createdAt: '2026-03-01T12:00:00Z',
  isCurrent: endpoint === HERE,
});

const known = (page: Page, subscriptions: PushSubscriptions['subscriptions']) =>
  answer(page, '**/api/notifications/push-subscriptions', { publicKey: 'AQID', subscriptions });

export const deviceScenes: Scene[] = [
  {
    name: 'account with notifications off',
    as: 'ada',
    path: '/account#notifications',
    given: async (page) => {
      await browser(page, 'default');
      await known(page, []);
    },
    shows: 'Notifications are off on this device.',
  },
  {
    name: 'account with notifications on several devices',
    as: 'ada',
    path: '/account#notifications',
    given: async (page) => {
      await browser(page, 'granted', true);
      await known(page, [
        device('p-1', 'Chrome on Linux', HERE),
        device('p-2', 'Firefox on Windows', 'https://push.example/2'),
        device('p-3', null, 'https://push.example/3'),
      ]);
    },
    shows: 'What appears on your devices',
  },
  {
    name: 'account with notifications that the browser blocks',
    as: 'ada',
    path: '/account#notifications',
    given: async (page) => {
      await browser(page, 'denied');
      await known(page, []);
    },
    shows: 'Your browser blocks the notifications of this site.',
  },
  {
    name: 'account on a phone that needs the home screen',
    as: 'ada',
    path: '/account#notifications',
    given: async (page) => {
      await known(page, []);
      await page.addInitScript(() => {
        Reflect.deleteProperty(window, 'PushManager');
        Object.defineProperty(navigator, 'standalone', { value: false });
      });
    },
    shows: /Add Bolts to your home screen first/,
  },
  {
    name: 'account with an app to install',
    as: 'ada',
    path: '/account#notifications',
    given: async (page) => {
      await browser(page, 'default');
      await known(page, []);
    },
    when: (page) => page.evaluate(() => window.dispatchEvent(new Event('beforeinstallprompt'))),
    shows: 'Install the App',
  },
  {
    name: 'bet with the offer of notifications',
    as: 'ada',
    path: betPath('live'),
    given: (page) => browser(page, 'default'),
    shows: 'Get told when it is your turn',
  },
];
