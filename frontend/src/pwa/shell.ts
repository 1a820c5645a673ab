/**
 * The files of the offline page, which the worker keeps in a cache. The worker caches nothing else: no other page and no
 * answer of the API.
 */
export class Shell {
  /** The name of the cache. It changes with the files, because their addresses contain hashes of their contents. */
  readonly #cache: string;
  readonly #page: string;
  readonly #files: readonly string[];

  /** `files` are the paths of the offline page and of all that it loads. The page comes first. */
  constructor([page, ...rest]: readonly [string, ...string[]]) {
    this.#page = page;
    this.#files = [page, ...rest];
    this.#cache = `bolts ${this.#files.join(' ')}`;
  }

  /** Fetches the files anew, past the browser's own cache. */
  async keep(): Promise<void> {
    const cache = await caches.open(this.#cache);
    await cache.addAll(this.#files.map((file) => new Request(file, { cache: 'reload' })));
  }

  /** Removes the caches of earlier versions. */
  async forgetOthers(): Promise<void> {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name !== this.#cache).map((name) => caches.delete(name)));
  }

  /**
   * The answer to a request of a page. Undefined if the browser must send the request as if there were no worker.
   * `preloaded` is the answer to a navigation that the browser has sent while the worker started.
   */
  answer(request: Request, preloaded?: Promise<Response | undefined>): Promise<Response> | undefined {
    const { origin, pathname } = new URL(request.url);
    if (request.method !== 'GET' || origin !== location.origin || pathname.startsWith('/api/'))
      return undefined;
    if (request.mode === 'navigate') return this.#navigation(request, preloaded);
    return this.#files.includes(pathname) ? this.#file(request) : undefined;
  }

  async #navigation(request: Request, preloaded?: Promise<Response | undefined>): Promise<Response> {
    try {
      return (await preloaded) ?? (await fetch(request));
    } catch (error) {
      const page = await this.#kept(this.#page);
      if (page) return page;
      throw error;
    }
  }

  async #file(request: Request): Promise<Response> {
    return (await this.#kept(request.url)) ?? fetch(request);
  }

  #kept(address: string): Promise<Response | undefined> {
    return caches.match(address, { cacheName: this.#cache });
  }
}
