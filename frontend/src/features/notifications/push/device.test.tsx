import { beforeEach, describe, expect, it, vi } from 'vitest';
import { otherDevice, pushBrowser } from '../../../test/push';
import { canPush, keepOn, leave, needsHomeScreen, turnOff, turnOn } from './device';
import { hasMark, setMark } from './marks';

const ME = 'u-1';
const here = (endpoint = 'https://push.test/here-1') => ({ ...otherDevice, endpoint, isCurrent: true });

beforeEach(() => localStorage.clear());

describe('turning on', () => {
  it('asks for the permission, subscribes, tells the server, and remembers it', async () => {
    const { register, pushManager, posted } = pushBrowser();
    expect(await turnOn(ME)).toBe('on');
    expect(register).toHaveBeenCalledWith('/sw.js');
    expect(pushManager.subscribe).toHaveBeenCalledWith({
      userVisibleOnly: true,
      applicationServerKey: 'AQID',
    });
    expect(posted).toEqual([
      { endpoint: 'https://push.test/here-1', expirationTime: null, keys: { p256dh: 'p', auth: 'a' } },
    ]);
    expect(hasMark(ME, 'on')).toBe(true);
    expect(hasMark('u-2', 'on')).toBe(false);
  });

  it.each([
    ['denied', 'blocked'],
    ['default', 'undecided'],
  ] as const)('does nothing if the user answers with %s', async (answers, outcome) => {
    const { pushManager } = pushBrowser({ answers });
    expect(await turnOn(ME)).toBe(outcome);
    expect(pushManager.subscribe).not.toHaveBeenCalled();
    expect(hasMark(ME, 'on')).toBe(false);
  });

  it('fails if the push service refuses', async () => {
    const { posted } = pushBrowser({ refuses: true });
    expect(await turnOn(ME)).toBe('failed');
    expect(posted).toEqual([]);
    expect(hasMark(ME, 'on')).toBe(false);
  });

  it('replaces a subscription for another key of the server', async () => {
    const { posted } = pushBrowser({ subscribed: 'with another key' });
    expect(await turnOn(ME)).toBe('on');
    expect(posted.map(({ endpoint }) => endpoint)).toEqual(['https://push.test/here-2']);
  });
});

describe('changes at the same time', () => {
  /** Checks the subscription, as the start of a page does, at the moment at which a click has made it. */
  function checkAfterSubscribing(browser: ReturnType<typeof pushBrowser>): () => Promise<void> {
    const { getSubscription, subscribe } = browser.pushManager;
    const make = subscribe.getMockImplementation();
    const read = vi.spyOn(browser.pushManager, 'getSubscription').mockImplementation(getSubscription);
    let check = Promise.resolve();
    subscribe.mockImplementationOnce(async (options) => {
      const made = await make?.(options);
      read.mockClear();
      check = keepOn(ME);
      // Without turns, the check reads the new subscription here.
      await new Promise((resolve) => setTimeout(resolve, 10));
      expect(read).not.toHaveBeenCalled();
      return made as Awaited<ReturnType<typeof subscribe>>;
    });
    return () => check;
  }

  it('the check at the start of a page does not end a subscription that a click makes', async () => {
    const browser = pushBrowser();
    const check = checkAfterSubscribing(browser);
    expect(await turnOn(ME)).toBe('on');
    await check();
    expect(browser.current()?.unsubscribe).not.toHaveBeenCalled();
  });

  it('a change that fails does not hold up the next one', async () => {
    const { pushManager } = pushBrowser();
    pushManager.subscribe.mockRejectedValueOnce(new TypeError('a fault of the browser'));
    const both = [turnOn(ME), turnOn(ME)] as const;
    await expect(both[0]).rejects.toThrow('a fault of the browser');
    expect(await both[1]).toBe('on');
  });
});

describe('turning off', () => {
  it('ends the subscription here and on the server, and is remembered', async () => {
    setMark(ME, 'on');
    const { current, deleted } = pushBrowser({ subscribed: true, known: [here()] });
    await turnOff(ME);
    expect(current()).toBeNull();
    expect(deleted).toEqual([{ endpoint: 'https://push.test/here-1' }]);
    expect([hasMark(ME, 'on'), hasMark(ME, 'offered')]).toEqual([false, true]);
  });

  it('needs no subscription', async () => {
    const { deleted } = pushBrowser();
    await turnOff(ME);
    expect(deleted).toEqual([]);
  });
});

describe('a page of a signed-in user', () => {
  const granted = { permission: 'granted' } as const;

  it('starts the worker, and asks the server nothing while notifications are off', async () => {
    const { register, pushManager } = pushBrowser(granted);
    await keepOn(ME);
    expect(register).toHaveBeenCalledTimes(1);
    expect(pushManager.subscribe).not.toHaveBeenCalled();
  });

  it('turns notifications on again after a new sign-in', async () => {
    setMark(ME, 'on');
    const { posted, notification } = pushBrowser(granted);
    await keepOn(ME);
    expect(posted).toHaveLength(1);
    expect(notification.requestPermission).not.toHaveBeenCalled();
  });

  it('changes nothing if the server knows the subscription', async () => {
    setMark(ME, 'on');
    const { posted, current } = pushBrowser({ ...granted, subscribed: true, known: [here()] });
    await keepOn(ME);
    expect(posted).toEqual([]);
    expect(current()).not.toBeNull();
  });

  it.each([
    ['the same one if it belongs to an earlier session', [{ ...here(), isCurrent: false }], 'here-1'],
    [
      'a new one if the server has forgotten it, with its session or at the word of its push service',
      [],
      'here-2',
    ],
  ])('subscribes again: %s', async (_, known, endpoint) => {
    setMark(ME, 'on');
    const { posted } = pushBrowser({ ...granted, subscribed: true, known });
    await keepOn(ME);
    expect(posted.map((subscription) => subscription.endpoint)).toEqual([`https://push.test/${endpoint}`]);
  });

  it('ends a subscription of another user of this browser', async () => {
    setMark('u-2', 'on');
    const { current, posted } = pushBrowser({ ...granted, subscribed: true });
    await keepOn(ME);
    expect(current()).toBeNull();
    expect(posted).toEqual([]);
  });

  it('does not turn on what the user has blocked since', async () => {
    setMark(ME, 'on');
    const { posted } = pushBrowser({ permission: 'denied' });
    await keepOn(ME);
    expect(posted).toEqual([]);
  });

  it('starts no worker while the pages are developed', async () => {
    const { register } = pushBrowser(granted);
    vi.stubEnv('NODE_ENV', 'development');
    await keepOn(ME);
    expect(register).not.toHaveBeenCalled();
  });

  it('does without a worker that does not load', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { register } = pushBrowser(granted);
    register.mockRejectedValue(new TypeError('no network'));
    await keepOn(ME);
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockRestore();
  });
});

describe('a sign-out', () => {
  it('ends the subscription, and leaves the mark for the next sign-in', async () => {
    setMark(ME, 'on');
    const { current, deleted } = pushBrowser({ subscribed: true });
    await leave();
    expect(current()).toBeNull();
    expect(deleted).toEqual([]);
    expect(hasMark(ME, 'on')).toBe(true);
  });

  it('does not fail with the push service', async () => {
    const { current } = pushBrowser({ subscribed: true });
    current()?.unsubscribe.mockRejectedValue(new DOMException('no answer', 'NetworkError'));
    await leave();
  });
});

it('a browser without service workers can do nothing, and nothing breaks', async () => {
  expect([canPush(), needsHomeScreen()]).toEqual([false, false]);
  await keepOn(ME);
  await leave();
});
