import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test as base, expect } from '@playwright/test';
import { Webhook } from 'standardwebhooks';
import { withBolts } from './bolts';
import { expectClean, registered } from './people';

interface Event {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A server of a user, which keeps all events. */
async function withReceiver(use: (url: string, events: Event[]) => Promise<void>) {
  const events: Event[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    events.push({ headers: request.headers, body });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, events);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

base('name a webhook, test it, verify its signature, remove it', async ({ browser }) => {
  await withReceiver(async (url, events) => {
    await withBolts(
      async (bolts) => {
        const ada = await registered(browser, bolts, 'ada');
        const { page } = ada;
        await page.goto('/account#notifications');
        const card = page.getByRole('region', { name: 'Webhook' });
        await card.getByLabel('Address').fill(url);
        await card.getByRole('button', { name: 'Add Webhook' }).click();
        const secret = await card.getByLabel('Secret for the signatures').inputValue();
        await card.getByRole('button', { name: 'Send a Test Event' }).click();
        await expect.poll(() => events.length).toBe(1);
        const [{ headers, body }] = events as [Event];
        const verified = new Webhook(secret).verify(body, headers as Record<string, string>);
        expect(verified).toMatchObject({ type: 'test', data: { betId: null } });
        expect(() => new Webhook(secret).verify(`${body} `, headers as Record<string, string>)).toThrow();

        await page.reload();
        await expect(card.getByLabel('Address')).toHaveValue(url);
        await expect(card.getByLabel('Secret for the signatures')).toHaveCount(0);
        await card.getByRole('button', { name: 'Remove Webhook' }).click();
        await expect(card.getByRole('button', { name: 'Add Webhook' })).toBeVisible();
        expectClean(bolts);
      },
      { BOLTS_WEBHOOK_ALLOW_PRIVATE: 'true' },
    );
  });
});
