import type { Page } from '@playwright/test';

/** Holds the page's requests to a path until the returned function is called. The requests then go to the server. */
export async function held(page: Page, path: string | RegExp): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(path, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}
