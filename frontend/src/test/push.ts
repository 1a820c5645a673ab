import { HttpResponse, http } from 'msw';
import { onTestFinished, vi } from 'vitest';
import type { PushDevice } from '../api/types';
import { onWrite, server } from './server';

export const PUSH_PATH = '/api/notifications/push-subscriptions';
/** The server's key, as base64url and as the browser keeps it. */
const PUBLIC_KEY = 'AQID';
const KEY_BYTES = new Uint8Array([1, 2, 3]).buffer;
const OTHER_KEY_BYTES = new Uint8Array([4, 5, 6]).buffer;

export const otherDevice: PushDevice = {
  id: 'p-2',
  device: 'Firefox on Windows',
  endpoint: 'https://push.test/2',
  createdAt: '2026-03-01T12:00:00Z',
  isCurrent: false,
};

interface Given {
  permission?: NotificationPermission;
  /** What the user answers to the browser's question. */
  answers?: NotificationPermission;
  /** Whether this browser has a subscription, and whether it is for another key of the server. */
  subscribed?: boolean | 'with another key';
  /** Whether the push service refuses subscriptions. */
  refuses?: boolean;
  /** What the server knows at first. */
  known?: PushDevice[];
}

/** A browser with a push service, and a server that keeps subscriptions. */
export function pushBrowser(given: Given = {}) {
  const { permission = 'default', answers = 'granted', subscribed = false, refuses, known = [] } = given;
  vi.stubEnv('NODE_ENV', 'production');
  let count = 0;
  let current: ReturnType<typeof make> | null = null;
  const make = (key: ArrayBuffer) => {
    count += 1;
    const endpoint = `https://push.test/here-${count}`;
    return {
      endpoint,
      options: { applicationServerKey: key },
      toJSON: () => ({ endpoint, expirationTime: null, keys: { p256dh: 'p', auth: 'a' } }),
      unsubscribe: vi.fn(async () => {
        current = null;
        return true;
      }),
    };
  };
  if (subscribed) current = make(subscribed === true ? KEY_BYTES : OTHER_KEY_BYTES);
  const pushManager = {
    getSubscription: async () => current,
    subscribe: vi.fn(async (_: PushSubscriptionOptionsInit) => {
      if (refuses) throw new DOMException('push service error', 'AbortError');
      current ??= make(KEY_BYTES);
      return current;
    }),
  };
  const registration = { pushManager };
  const register = vi.fn(async (_: string) => registration);
  const notification = {
    permission,
    requestPermission: vi.fn(async () => {
      notification.permission = answers;
      return answers;
    }),
  };
  define(navigator, 'serviceWorker', {
    register,
    ready: Promise.resolve(registration),
    getRegistration: async () => registration,
  });
  define(window, 'PushManager', class {});
  define(window, 'Notification', notification);
  const devices = [...known];
  const browser = { register, pushManager, notification, devices, current: () => current };
  return { ...browser, ...serverOf(devices) };
}

/** The server's side: its list changes with the calls. */
function serverOf(devices: PushDevice[]) {
  const ok = () => HttpResponse.json({ ok: true });
  const posted: { endpoint: string }[] = [];
  const deleted: unknown[] = [];
  server.use(
    http.get(PUSH_PATH, () => HttpResponse.json({ publicKey: PUBLIC_KEY, subscriptions: devices })),
    http.post(PUSH_PATH, async ({ request }) => {
      const body = (await request.json()) as { endpoint: string };
      posted.push(body);
      const here = { ...otherDevice, id: 'p-1', device: 'Chrome on Linux', isCurrent: true };
      devices.splice(0, devices.length, ...devices.filter(({ endpoint }) => endpoint !== body.endpoint));
      devices.push({ ...here, endpoint: body.endpoint });
      return ok();
    }),
    http.delete(PUSH_PATH, async ({ request }) => {
      const { endpoint } = (await request.json()) as { endpoint: string };
      deleted.push({ endpoint });
      devices.splice(0, devices.length, ...devices.filter((device) => device.endpoint !== endpoint));
      return ok();
    }),
    http.delete('/api/notifications/push-subscriptions/:id', ({ params }) => {
      deleted.push(params.id);
      devices.splice(0, devices.length, ...devices.filter(({ id }) => id !== params.id));
      return ok();
    }),
  );
  return { posted, deleted, tests: onWrite('post', '/api/notifications/push-subscriptions/test', ok) };
}

/** Gives an object a property for the time of a test. */
export function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, configurable: true });
  onTestFinished(() => {
    Reflect.deleteProperty(target, name);
    vi.unstubAllEnvs();
  });
}
