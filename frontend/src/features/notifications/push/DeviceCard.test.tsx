import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { user as me } from '../../../test/fixtures';
import { define, otherDevice, PUSH_PATH, pushBrowser } from '../../../test/push';
import { renderApp } from '../../../test/render';
import { onGet, onWrite, problem, server } from '../../../test/server';
import DeviceCard from './DeviceCard';

const channels = { email: true, push: true, webhook: true };

beforeEach(() => {
  localStorage.clear();
  onGet('/api/notifications/preferences', {
    kinds: { accepted: channels, messages: channels },
    digest: 'daily',
    timeZone: 'Europe/Berlin',
    showsPrivateTitles: false,
    webhookUrl: null,
  });
});

async function open() {
  const { user } = renderApp(<DeviceCard user={me} />);
  return { user, card: within(await screen.findByRole('region', { name: 'This Device' })) };
}

const button = (name: string) => ({ name });

describe('this device', () => {
  it('is turned on, tested, and turned off', async () => {
    const browser = pushBrowser();
    const { user, card } = await open();
    expect(await card.findByText('Notifications are off on this device.')).toBeVisible();
    expect(card.queryByRole('button', button('Send a Test'))).toBeNull();
    expect(card.queryByText('What appears on your devices')).toBeNull();
    await user.click(card.getByRole('button', button('Turn On Notifications')));
    expect(await screen.findByText('Notifications On')).toBeVisible();
    expect(await card.findByText('Notifications are on for this device.')).toBeVisible();
    expect(browser.posted).toHaveLength(1);

    await user.click(card.getByRole('button', button('Send a Test')));
    expect(await screen.findByText('Test on Its Way')).toBeVisible();
    expect(browser.tests).toEqual([{}]);

    await user.click(card.getByRole('button', button('Turn Off')));
    expect(await screen.findByText('Notifications Off')).toBeVisible();
    expect(await card.findByText('Notifications are off on this device.')).toBeVisible();
    expect(browser.deleted).toEqual([{ endpoint: 'https://push.test/here-1' }]);
    expect(card.queryByText('Other devices')).toBeNull();
  });

  it.each([
    ['denied', 'Your browser blocks the notifications of this site.'],
    ['default', 'Your browser asks first. Choose “Allow” there.'],
  ] as const)('stays off after the answer %s', async (answers, said) => {
    pushBrowser({ answers });
    const { user, card } = await open();
    await user.click(await card.findByRole('button', button('Turn On Notifications')));
    expect(await screen.findByText('Not Turned On')).toBeVisible();
    expect(screen.getAllByText(said)[0]).toBeVisible();
  });

  it('stays off if the push service does not answer', async () => {
    pushBrowser({ refuses: true });
    const { user, card } = await open();
    await user.click(await card.findByRole('button', button('Turn On Notifications')));
    expect(await screen.findByText(/The push service of your browser did not answer/)).toBeVisible();
    expect(card.getByText('Notifications are off on this device.')).toBeVisible();
  });

  it('says what to do if the browser blocks notifications, and sees that they are allowed again', async () => {
    const { notification } = pushBrowser({ permission: 'denied' });
    const status = new EventTarget();
    define(navigator, 'permissions', { query: async () => status });
    const { card } = await open();
    expect(await card.findByText('Your browser blocks the notifications of this site.')).toBeVisible();
    expect(card.getByText(/open the settings of the site beside its address/)).toBeVisible();
    expect(card.queryByRole('button', button('Turn On Notifications'))).toBeNull();
    notification.permission = 'default';
    act(() => void status.dispatchEvent(new Event('change')));
    expect(await card.findByRole('button', button('Turn On Notifications'))).toBeVisible();
  });

  it('cannot do it without push', async () => {
    const { card } = await open();
    expect(await card.findByText('This browser cannot show notifications of a site.')).toBeVisible();
    expect(card.queryByRole('button')).toBeNull();
  });

  it('needs the home screen on an iPhone', async () => {
    define(navigator, 'standalone', false);
    const { card } = await open();
    expect(await card.findByText(/Add Bolts to your home screen first/)).toBeVisible();
  });
});

describe('the other devices', () => {
  it('are listed and turned off', async () => {
    const unknown = { ...otherDevice, id: 'p-3', device: null, endpoint: 'https://push.test/3' };
    const { deleted } = pushBrowser({ known: [otherDevice, unknown] });
    const { user, card } = await open();
    const list = within(await card.findByRole('list', { name: 'Other devices' }));
    expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'Firefox on Windowson since Mar 1, 2026Turn Off',
      'Unknown browseron since Mar 1, 2026Turn Off',
    ]);
    expect(await card.findByText('Notifications are off on this device.')).toBeVisible();
    await user.click(list.getByRole('button', button('Turn off Firefox on Windows')));
    expect(await screen.findByText('Notifications Off')).toBeVisible();
    expect(deleted).toEqual(['p-2']);
    await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(1));
  });

  it('failed to load', async () => {
    pushBrowser();
    server.use(http.get(PUSH_PATH, () => problem(503, 'unavailable', 'Try again.')));
    const { card } = await open();
    expect(await card.findByText('Your devices could not be loaded')).toBeVisible();
  });
});

it('has kinds of its own once a device is on', async () => {
  pushBrowser({ known: [otherDevice] });
  const { user, card } = await open();
  expect(await card.findByText('What appears on your devices')).toBeVisible();
  const bodies = onWrite('put', '/api/notifications/preferences', () => HttpResponse.json({}));
  await user.click(await card.findByLabelText('Messages on your bets'));
  await user.click(await card.findByRole('switch', { name: /Titles of private bets/ }));
  await user.click(card.getByRole('button', button('Save Kinds')));
  expect(await screen.findByText('Kinds Saved')).toBeVisible();
  expect(bodies).toEqual([
    { kinds: { accepted: channels, messages: { ...channels, push: false } }, showsPrivateTitles: true },
  ]);
});

it('leaves the titles of private bets to the card of the mails, if the site sends mails', async () => {
  pushBrowser({ known: [otherDevice] });
  onGet('/api/config', { isTestMode: false, withdrawalsPaused: false, sendsMail: true });
  const { user, card } = await open();
  const bodies = onWrite('put', '/api/notifications/preferences', () => HttpResponse.json({}));
  await user.click(await card.findByRole('button', button('Save Kinds')));
  expect(await screen.findByText('Kinds Saved')).toBeVisible();
  expect(card.queryByRole('switch')).toBeNull();
  expect(bodies).toEqual([{ kinds: { accepted: channels, messages: channels } }]);
});
