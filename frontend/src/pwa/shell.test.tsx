import { beforeEach, expect, it, vi } from 'vitest';
import { Shell } from './shell';

const FILES = ['/assets/offline.1.html', '/assets/offline.2.js'] as const;
const NAME = 'bolts /assets/offline.1.html /assets/offline.2.js';

/** The caches of a browser: the answers by the name of the cache and the path. */
let kept: Map<string, Map<string, Response>>;
let fetched: [path: string, cache: string][];

const pathOf = (address: string) => new URL(address, location.origin).pathname;

beforeEach(() => {
  kept = new Map();
  fetched = [];
  vi.stubGlobal(
    'Request',
    class {
      constructor(
        readonly url: string,
        readonly init: RequestInit,
      ) {}
    },
  );
  vi.stubGlobal('caches', {
    open: async (name: string) => ({
      addAll: async (requests: { url: string; init: RequestInit }[]) => {
        fetched.push(...requests.map(({ url, init }) => [url, init.cache ?? ''] as [string, string]));
        kept.set(name, new Map(requests.map(({ url }) => [pathOf(url), new Response(`kept ${url}`)])));
      },
    }),
    keys: async () => [...kept.keys()],
    delete: async (name: string) => kept.delete(name),
    match: async (address: string, { cacheName }: { cacheName: string }) =>
      kept.get(cacheName)?.get(pathOf(address))?.clone(),
  });
});

const request = (path: string, change: Partial<Request> = {}) =>
  ({ url: new URL(path, location.origin).href, method: 'GET', mode: 'no-cors', ...change }) as Request;
const navigation = (path: string) => request(path, { mode: 'navigate' });

function offline() {
  const asked = vi.fn(async (_: unknown): Promise<Response> => {
    throw new TypeError('no network');
  });
  vi.stubGlobal('fetch', asked);
  return asked;
}

async function keptShell() {
  const shell = new Shell(FILES);
  await shell.keep();
  return shell;
}

it('keeps its files, past the cache of the browser', async () => {
  await keptShell();
  expect([...kept.keys()]).toEqual([NAME]);
  expect(fetched).toEqual(FILES.map((file) => [file, 'reload']));
});

it('removes the caches of earlier versions', async () => {
  kept.set('bolts /assets/offline.0.html', new Map());
  const shell = await keptShell();
  await shell.forgetOthers();
  expect([...kept.keys()]).toEqual([NAME]);
});

it('takes a navigation from the network, and its preload first', async () => {
  const asked = offline();
  asked.mockResolvedValue(new Response('from the network'));
  const shell = await keptShell();
  const preload = Promise.resolve(new Response('preloaded'));
  expect(await (await shell.answer(navigation('/bet/1'), preload))?.text()).toBe('preloaded');
  expect(asked).not.toHaveBeenCalled();
  const none = Promise.resolve(undefined);
  expect(await (await shell.answer(navigation('/bet/1'), none))?.text()).toBe('from the network');
});

it('passes an error of the server on', async () => {
  offline().mockResolvedValue(new Response('down', { status: 503 }));
  const shell = await keptShell();
  expect((await shell.answer(navigation('/')))?.status).toBe(503);
});

it('shows the offline page if the network fails', async () => {
  offline();
  const shell = await keptShell();
  const expected = 'kept /assets/offline.1.html';
  expect(await (await shell.answer(navigation('/bet/1')))?.text()).toBe(expected);
  const preload = Promise.reject(new TypeError('no network'));
  expect(await (await shell.answer(navigation('/portfolio'), preload))?.text()).toBe(expected);
});

it('fails like the network if the cache was cleared', async () => {
  offline();
  await expect(new Shell(FILES).answer(navigation('/bet/1'))).rejects.toThrow('no network');
});

it('has the files of the offline page, and fetches them if the cache was cleared', async () => {
  const asked = offline();
  const shell = await keptShell();
  expect(await (await shell.answer(request('/assets/offline.2.js')))?.text()).toBe(
    'kept /assets/offline.2.js',
  );
  kept.clear();
  asked.mockResolvedValue(new Response('from the network'));
  expect(await (await shell.answer(request('/assets/offline.2.js')))?.text()).toBe('from the network');
});

it.each([
  ['a read of the API', request('/api/bets/my')],
  ['a download of the API', navigation('/api/account/export')],
  ['another file', request('/assets/main.1.js')],
  ['a write', request('/assets/offline.2.js', { method: 'POST' })],
  ['another site', request('https://other.test/assets/offline.2.js')],
])('leaves %s alone', async (_, other) => {
  const asked = offline();
  const shell = await keptShell();
  expect(shell.answer(other)).toBeUndefined();
  expect(asked).not.toHaveBeenCalled();
});
