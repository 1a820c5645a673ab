import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { mine, openBetPage, takenByBob } from '../../../test/bet-page';
import { makeBet, user as me } from '../../../test/fixtures';
import { pushBrowser } from '../../../test/push';
import { hasMark, setMark } from './marks';

const offer = () => screen.queryByRole('region', { name: 'Get told when it is your turn' });
const shown = () => screen.findByRole('region', { name: 'Get told when it is your turn' });

/** Waits until the parts that load beside the page are there. The offer is in the file of the timeline. */
const settled = () => screen.findByRole('heading', { name: 'Timeline' });

beforeEach(() => localStorage.clear());

describe('the offer of notifications', () => {
  const openMine = () => openBetPage(makeBet(mine));

  it('turns them on by a click, on the page of an own bet', async () => {
    const { notification, posted } = pushBrowser();
    const { user } = openMine();
    await shown();
    expect(notification.requestPermission).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Turn On Notifications' }));
    expect(await screen.findByText('Notifications On')).toBeVisible();
    expect(posted).toHaveLength(1);
    expect(offer()).toBeNull();
  });

  it('is closed for good, for this user', async () => {
    pushBrowser();
    const first = openMine();
    await shown();
    await first.user.click(screen.getByRole('button', { name: 'Not now' }));
    expect(offer()).toBeNull();
    expect([hasMark(me.id, 'offered'), hasMark('u-other', 'offered')]).toEqual([true, false]);
    first.unmount();
    openMine();
    await settled();
    expect(offer()).toBeNull();
  });

  it('goes away if the browser refuses, and stays if the user does not answer', async () => {
    const browser = pushBrowser({ answers: 'default' });
    const { user } = openMine();
    await shown();
    await user.click(screen.getByRole('button', { name: 'Turn On Notifications' }));
    expect(await screen.findByText('Not Turned On')).toBeVisible();
    expect(offer()).toBeVisible();
    browser.notification.requestPermission.mockImplementation(async () => {
      browser.notification.permission = 'denied';
      return 'denied';
    });
    await user.click(await screen.findByRole('button', { name: 'Turn On Notifications' }));
    expect(await screen.findByText('Your browser blocks the notifications of this site.')).toBeVisible();
    expect(offer()).toBeNull();
  });

  it.each([
    ['are on', 'granted', true],
    ['are blocked', 'denied', false],
  ] as const)('does not show if notifications %s', async (_, permission, isOn) => {
    pushBrowser({ permission });
    setMark(me.id, 'on', isOn);
    openMine();
    await settled();
    expect(offer()).toBeNull();
  });

  it('does not show in a browser without push', async () => {
    openMine();
    await settled();
    expect(offer()).toBeNull();
  });

  it.each([
    ['a bet of others', makeBet(takenByBob)],
    ['a bet that has ended', makeBet({ ...mine, status: 'cancelled', cancelReason: 'expired' })],
  ])('does not show on %s', async (_, bet) => {
    pushBrowser();
    openBetPage(bet);
    await settled();
    expect(offer()).toBeNull();
  });

  it('does not show to visitors', async () => {
    pushBrowser();
    openBetPage(makeBet(mine), { signedIn: false });
    await settled();
    expect(offer()).toBeNull();
  });
});
