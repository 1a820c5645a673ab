import type { Page } from '@playwright/test';
import { test as base, expect } from '@playwright/test';
import { type Bolts, withBolts } from './bolts';
import { expectAccessible, watchForTrouble } from './checks';
import { systemChromium } from './chromium';
import {
  createThroughApi,
  expectClean,
  PASSWORD,
  type Person,
  registered,
  signIn,
  takeThroughApi,
} from './people';
import { type PushMessage, type PushService, withPushService } from './push-service';

/** A site whose server may call a push service on this machine. */
const test = base.extend<object, { bolts: Bolts; service: PushService }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern
  service: [async ({}, use) => withPushService(use), { scope: 'worker' }],
  bolts: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern
    async ({}, use) => withBolts(use, { BOLTS_WEBHOOK_ALLOW_PRIVATE: 'true' }),
    { scope: 'worker' },
  ],
});

// The headless shell refuses the permission for notifications.
test.use({ launchOptions: systemChromium(true) });

test.afterEach(({ bolts, service }) => {
  expect(service.refused).toEqual([]);
  expectClean(bolts);
});

const ALLOWED = { serviceWorkers: 'allow', permissions: ['notifications'] as string[] } as const;
const card = (page: Page) => page.getByRole('region', { name: 'This Device' });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Signs out, and waits for the start page, which loads anew. */
async function signOut(page: Page) {
  const loaded = page.waitForEvent('load');
  await button(page, 'Logout').click();
  await loaded;
}

const devicesOf = async ({ page }: Person) => {
  const answer = await page.request.get('/api/notifications/push-subscriptions');
  return (await answer.json()).subscriptions as { endpoint: string; device: string }[];
};

interface Shown {
  title: string;
  body: string;
  tag: string;
  url: string;
}

/**
 * Hands a message to the service worker of the page, as a push service does, until the system lists the notification.
 * Chromium forgets a notification if it is asked for the list at the moment at which it shows the notification.
 */
async function expectShown(page: Page, bolts: Bolts, message: string, expected: Partial<Shown>) {
  await expect(async () => {
    const before = await shownCount(page);
    await deliver(page, bolts, message);
    await expect.poll(() => shownCount(page)).toBeGreaterThan(before);
    expect(await shown(page)).toContainEqual(expect.objectContaining(expected));
  }).toPass();
}

async function deliver(page: Page, bolts: Bolts, message: string) {
  const devtools = await page.context().newCDPSession(page);
  const registration = new Promise<string>((resolve) =>
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations;
      if (first) resolve(first.registrationId);
    }),
  );
  await devtools.send('ServiceWorker.enable');
  const registrationId = await registration;
  const push = { origin: bolts.origin, registrationId, data: message };
  await devtools.send('ServiceWorker.deliverPushMessage', push);
  await devtools.detach();
}

function workerOf(page: Page) {
  const [worker] = page.context().serviceWorkers();
  if (!worker) throw new Error('no service worker');
  return worker;
}

/** The number of notifications that the worker has shown since the first call of this function. */
const shownCount = (page: Page) =>
  workerOf(page).evaluate(() => {
    const scope = self as unknown as { registration: ServiceWorkerRegistration; count?: number };
    if (scope.count !== undefined) return scope.count;
    const { registration } = scope;
    const show = registration.showNotification.bind(registration);
    scope.count = 0;
    registration.showNotification = async (...message) => {
      await show(...message);
      scope.count = (scope.count ?? 0) + 1;
    };
    return 0;
  });

const shown = (page: Page): Promise<Shown[]> =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const all = await registration.getNotifications();
    return all.map(({ title, body, tag, data }) => ({ title, body, tag, url: data.url as string }));
  });

test('after a first bet, the device is turned on, gets a push, and the push opens the bet', async ({
  browser,
  bolts,
  service,
}) => {
  const ann = await registered(browser, bolts, 'ann', ALLOWED);
  const bob = await registered(browser, bolts, 'bob');
  const device = await service.serve(ann.page.context());
  const trouble = await watchForTrouble(ann.page);
  const bet = await createThroughApi(ann, bolts, { title: 'Will the kettle boil?', stakeAmount: 10 });
  await ann.page.goto(`/bet/${bet.id}`);
  const offer = ann.page.getByRole('region', { name: 'Get told when it is your turn' });
  await expect(offer).toBeVisible();
  await expectAccessible(ann.page, 'the offer of notifications');
  await offer.getByRole('button', { name: 'Turn On Notifications' }).click();
  await expect(ann.page.getByText('Notifications On')).toBeVisible();
  await expect(offer).toBeHidden();
  expect(await devicesOf(ann)).toMatchObject([{ endpoint: device.endpoint() }]);

  await ann.page.goto('/account#notifications');
  await expect(card(ann.page).getByText('Notifications are on for this device.')).toBeVisible();
  await expect(card(ann.page).getByText('What appears on your devices')).toBeVisible();
  await button(ann.page, 'Send a Test').click();
  await expect(ann.page.getByText('Test on Its Way')).toBeVisible();
  await expect.poll(() => device.messages().length).toBe(1);
  expect(device.messages()[0]).toMatchObject({ url: '/' });

  await takeThroughApi(bob, bolts, bet);
  await expect.poll(() => device.messages().map(({ title }) => title)).toContain('Bet Accepted');
  const message = device.messages().find(({ title }) => title === 'Bet Accepted') as PushMessage;
  expect(message.url).toBe(`/bet/${bet.id}`);
  expect(message.body).toContain('Will the kettle boil?');
  expect(message.unread).toBeGreaterThan(0);
  expect(Math.abs(message.timestamp - Date.now())).toBeLessThan(10 * 60_000);
  expect([...service.audiences]).toEqual([service.origin]);

  const { title, body, tag, url } = message;
  await expectShown(ann.page, bolts, 'no JSON', { title: 'News on Bolts', url: '/' });
  await expectShown(ann.page, bolts, JSON.stringify(message), { title, body, tag, url });

  await clickNotification(ann.page, title);
  await expect(ann.page).toHaveURL(`${bolts.origin}${url}`);
  await expect(ann.page.getByRole('heading', { level: 1, name: 'Will the kettle boil?' })).toBeVisible();
  expect(trouble).toEqual([]);
  await ann.page.context().close();
});

/**
 * Sends the click to the service worker. DevTools cannot click a notification, and browsers focus a tab only after a real
 * click. So the test lets `focus` do nothing.
 */
async function clickNotification(page: Page, title: string) {
  await workerOf(page).evaluate(async (title) => {
    const scope = self as unknown as { registration: ServiceWorkerRegistration };
    const { WindowClient, NotificationEvent } = self as unknown as {
      WindowClient: { prototype: { focus: () => Promise<unknown> } };
      NotificationEvent: new (name: string, init: { notification: Notification }) => Event;
    };
    WindowClient.prototype.focus = async function focus() {
      return this;
    };
    const notification = (await scope.registration.getNotifications()).find((one) => one.title === title);
    if (notification) self.dispatchEvent(new NotificationEvent('notificationclick', { notification }));
  }, title);
}

/** Turns the notifications on in the account. */
async function turnOn(page: Page) {
  await page.goto('/account#notifications');
  await button(page, 'Turn On Notifications').click();
  await expect(card(page).getByText('Notifications are on for this device.')).toBeVisible();
}

test('a push about a private bet does not tell its title or its link', async ({
  browser,
  bolts,
  service,
}) => {
  const ann = await registered(browser, bolts, 'ann', ALLOWED);
  const bob = await registered(browser, bolts, 'bob');
  const device = await service.serve(ann.page.context());
  await turnOn(ann.page);
  const bet = await createThroughApi(ann, bolts, { title: 'Who washes up tonight?', isPrivate: true });
  await takeThroughApi(bob, bolts, bet);
  await expect.poll(() => device.messages().map(({ title }) => title)).toContain('Bet Accepted');
  const text = JSON.stringify(device.messages());
  expect(text).toContain('Private bet');
  expect(text).not.toContain('washes up');
  expect(text).not.toContain(bet.shareToken);
  await ann.page.context().close();
});

test('a sign-out ends the notifications, and the next sign-in turns them on again', async ({
  browser,
  bolts,
  service,
}) => {
  const ann = await registered(browser, bolts, 'ann', ALLOWED);
  const bob = await registered(browser, bolts, 'bob');
  const device = await service.serve(ann.page.context());
  await turnOn(ann.page);
  const before = device.endpoint();

  await signOut(ann.page);
  expect(device.endpoint()).toBeNull();
  await signIn(ann.page, ann.email, PASSWORD);
  await expect(ann.page.getByRole('heading', { name: 'My Portfolio' })).toBeVisible();
  await expect.poll(async () => (await devicesOf(ann)).map(({ endpoint }) => endpoint)).not.toEqual([]);
  expect(await devicesOf(ann)).toMatchObject([{ endpoint: device.endpoint() }]);
  expect(device.endpoint()).not.toBe(before);

  const bet = await createThroughApi(ann, bolts, { title: 'Is she back?', stakeAmount: 10 });
  await takeThroughApi(bob, bolts, bet);
  await expect.poll(() => device.messages().map(({ title }) => title)).toContain('Bet Accepted');

  // Another user of this browser gets nothing of hers.
  await signOut(ann.page);
  await signIn(ann.page, bob.email, PASSWORD);
  await expect(ann.page.getByRole('heading', { name: 'My Portfolio' })).toBeVisible();
  await ann.page.goto('/account#notifications');
  await expect(card(ann.page).getByText('Notifications are off on this device.')).toBeVisible();
  expect(device.endpoint()).toBeNull();
  await ann.page.context().close();
});

test('a subscription that its push service has ended is replaced', async ({ browser, bolts, service }) => {
  const ann = await registered(browser, bolts, 'ann', ALLOWED);
  const device = await service.serve(ann.page.context());
  await turnOn(ann.page);
  const before = device.endpoint();
  device.expire();
  await button(ann.page, 'Send a Test').click();
  await expect.poll(() => devicesOf(ann)).toEqual([]);
  await ann.page.reload();
  await expect.poll(async () => (await devicesOf(ann)).length).toBe(1);
  expect(device.endpoint()).not.toBe(before);
  await ann.page.reload();
  await button(ann.page, 'Send a Test').click();
  await expect.poll(() => device.messages().length).toBe(1);
  await ann.page.context().close();
});

test('another device is turned off from here', async ({ browser, bolts, service }) => {
  const ann = await registered(browser, bolts, 'ann', ALLOWED);
  await service.serve(ann.page.context());
  await turnOn(ann.page);

  const context = await browser.newContext({ baseURL: bolts.origin, reducedMotion: 'reduce', ...ALLOWED });
  const other = await context.newPage();
  await service.serve(context);
  await signIn(other, ann.email, PASSWORD);
  await expect(other.getByRole('heading', { name: 'My Portfolio' })).toBeVisible();
  await other.goto('/account#notifications');
  await expect(card(other).getByText('Notifications are off on this device.')).toBeVisible();
  const list = card(other).getByRole('list', { name: 'Other devices' });
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await list.getByRole('button', { name: /^Turn off Chrome on Linux/ }).click();
  await expect(other.getByText('Notifications Off')).toBeVisible();
  await expect(list).toBeHidden();
  expect(await devicesOf(ann)).toEqual([]);
  await context.close();
  await ann.page.context().close();
});
