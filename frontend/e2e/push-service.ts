import { createServer, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { BrowserContext } from '@playwright/test';

/** The part of web-push-testing that we use. Its own server would listen on all addresses of the machine. */
interface PushApi {
  notifyUrl: string;
  subscribe: (options: { userVisibleOnly: 'true'; applicationServerKey: string }) => Promise<Subscription>;
  expireSubscription: (clientHash: string) => void;
  handleNotification: (clientHash: string, headers: PushHeaders, body: Buffer) => Promise<void>;
  getNotifications: (body: { clientHash: string }) => { messages: string[] };
}

interface Subscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
  clientHash: string;
}

interface PushHeaders {
  encoding: string | undefined;
  authorization: string | undefined;
  ttl: string | undefined;
}

/** A message of our server, as the service worker gets it. */
export interface PushMessage {
  title: string;
  body: string;
  url: string;
  tag: string;
  timestamp: number;
  unread: number;
}

/** The push service of a browser. */
export interface PushService {
  origin: string;
  /** Replaces the push service of a browser by this one. Nothing else in the browser is replaced. */
  serve: (context: BrowserContext) => Promise<Device>;
  /** What the service refused, such as a wrong signature or a message that it could not decrypt. */
  refused: string[];
  /** The origins for which our server has signed its requests. */
  audiences: Set<string>;
}

/** A browser that uses the push service. */
interface Device {
  /** The messages to all subscriptions of the browser, decrypted. */
  messages: () => PushMessage[];
  /** The current subscription. Null without one. */
  endpoint: () => string | null;
  /** Makes the service end the current subscription, without telling the browser. */
  expire: () => void;
}

const load = createRequire(import.meta.url);
const { PushApiModel } = load('web-push-testing/src/PushApiModel.js') as {
  PushApiModel: new () => PushApi;
};

/** Starts a push service, passes it to `use`, and stops it. */
export async function withPushService(use: (service: PushService) => Promise<void>) {
  const api = new PushApiModel();
  const refused: string[] = [];
  const audiences = new Set<string>();
  const server = createServer(async (request, response) => {
    const status = await deliver(api, request).catch((error: Error) => {
      if (error.name === 'SubscriptionExpiredError') return 410;
      refused.push(error.message);
      return 400;
    });
    const token = /t=([^,]+)/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    audiences.add(audienceOf(token));
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  api.notifyUrl = `${origin}/notify/`;
  try {
    await use({ origin, refused, audiences, serve: (context) => serve(api, context) });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function deliver(api: PushApi, request: IncomingMessage): Promise<number> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const { 'content-encoding': encoding, authorization, ttl } = request.headers;
  const headers = { encoding, authorization, ttl: ttl as string | undefined };
  await api.handleNotification(request.url?.split('/').at(-1) ?? '', headers, Buffer.concat(parts));
  return 201;
}

/** The `aud` of a signed token. The service above has checked the signature. */
function audienceOf(token: string): string {
  const [, claims = ''] = token.split('.');
  return String(JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}').aud);
}

async function serve(api: PushApi, context: BrowserContext): Promise<Device> {
  const all: Subscription[] = [];
  let current: (Subscription & { key: string }) | null = null;
  await context.exposeFunction('pushSubscribe', async (key: string) => {
    if (!current) {
      const made = await api.subscribe({ userVisibleOnly: 'true', applicationServerKey: key });
      all.push(made);
      current = { ...made, key };
    }
    return current;
  });
  await context.exposeFunction('pushCurrent', () => current);
  await context.exposeFunction('pushUnsubscribe', () => {
    if (current) api.expireSubscription(current.clientHash);
    current = null;
  });
  await context.addInitScript(replacePushManager);
  return {
    messages: () =>
      all
        .flatMap(({ clientHash }) => api.getNotifications({ clientHash }).messages)
        .map((message) => JSON.parse(message) as PushMessage),
    endpoint: () => current?.endpoint ?? null,
    expire: () => current && api.expireSubscription(current.clientHash),
  };
}

/** Runs in the page. */
function replacePushManager() {
  type Made = { endpoint: string; keys: Record<string, string>; key: string };
  const service = window as unknown as {
    pushSubscribe: (key: string) => Promise<Made>;
    pushCurrent: () => Promise<Made | null>;
    pushUnsubscribe: () => Promise<void>;
  };
  const subscriptionOf = ({ endpoint, keys, key }: Made) => ({
    endpoint,
    options: {
      applicationServerKey: Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (byte) =>
        byte.charCodeAt(0),
      ).buffer,
    },
    toJSON: () => ({ endpoint, expirationTime: null, keys }),
    unsubscribe: async () => {
      await service.pushUnsubscribe();
      return true;
    },
  });
  Object.assign(PushManager.prototype, {
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) =>
      subscriptionOf(await service.pushSubscribe(applicationServerKey)),
    getSubscription: async () => {
      const made = await service.pushCurrent();
      return made && subscriptionOf(made);
    },
  });
}
