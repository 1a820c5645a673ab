import { readFileSync } from 'node:fs';
import path from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import jsQR from 'jsqr';
import { PNG } from 'pngjs';
import { expect } from './bolts';

/** The small form of axe. The guard is for AxeBuilder, which runs its source twice on each page. */
const AXE_SOURCE = `if (!window.axe) { ${readFileSync(path.join(import.meta.dirname, '../node_modules/axe-core/axe.min.js'), 'utf8')} }`;

interface Leniency {
  /** Allows a page without a heading: a page that only shows 'Loading' has no heading yet. */
  withoutHeading?: boolean | undefined;
}

export async function expectAccessible(page: Page, what: string, { withoutHeading }: Leniency = {}) {
  // This comes first, because it also waits for charts, which change their size after the window.
  await expectNoSideScroll(page, what);
  const rules = withoutHeading ? ['page-has-heading-one'] : [];
  // The legacy mode of axe opens no extra page for its report. It does not check frames of other origins, but our pages
  // have no frames. The report describes violations only, because describing all passed elements would take a third of
  // the time.
  const axe = new AxeBuilder({ page, axeSource: AXE_SOURCE })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .disableRules(rules);
  const { violations } = await axe.analyze();
  const found = violations.map(
    (violation) => `${violation.id}: ${violation.nodes.map((node) => node.target).join(', ')}`,
  );
  expect(found, what).toEqual([]);
}

/** Waits until no part of the page loads its data any more. */
export const expectLoaded = (page: Page) => expect(page.locator('[data-loading]')).toHaveCount(0);

export async function expectNoSideScroll(page: Page, what: string) {
  // The check is repeated, because a chart changes its size only after the window has.
  const overhang = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await expect.poll(overhang, { message: `${what} scrolls sideways` }).toBeLessThanOrEqual(0);
}

/** The text of the QR code, decoded from a screenshot. */
export async function scanned(code: Locator): Promise<string | undefined> {
  const { data, width, height } = PNG.sync.read(await code.screenshot());
  return jsQR(new Uint8ClampedArray(data), width, height)?.data;
}

/**
 * Collects what a page must never cause: console errors, exceptions, violations of the content security policy,
 * dialogs. `refused` has the statuses of failed loads that the test itself causes. Status 0 stands for an aborted load.
 */
export async function watchForTrouble(page: Page, refused: readonly number[] = []): Promise<string[]> {
  const trouble: string[] = [];
  await page.exposeFunction('reportViolation', (what: string) => trouble.push(`policy: ${what}`));
  await page.addInitScript(() => {
    const report = (window as unknown as { reportViolation: (what: string) => void }).reportViolation;
    document.addEventListener('securitypolicyviolation', (event) =>
      report(`${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    const failed = /Failed to load resource: (?:.*status of (\d+)|net::ERR_)/.exec(message.text());
    if (failed && refused.includes(Number(failed[1] ?? 0))) return;
    if (refused.includes(0) && message.text().startsWith('ChunkLoadError')) return;
    trouble.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => trouble.push(`exception: ${error.message}`));
  page.on('dialog', (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return trouble;
}
