import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { renderApp } from '../../test/render';
import { onGet, onWrite, problem, server } from '../../test/server';
import WebhookCard from './WebhookCard';

const PATH = '/api/notifications/webhook';
const url = 'https://hook.example/bolts';
const since = '2026-11-23T12:00:00Z';
const none = { url: null, since: null, stopped: null };
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const ok = () => HttpResponse.json({ ok: true });
const channels = { email: true, push: true, webhook: true };

function onPreferences(kinds: object) {
  const rest = { digest: 'daily', timeZone: 'Europe/Berlin', showsPrivateTitles: false, webhookUrl: null };
  onGet('/api/notifications/preferences', { kinds, ...rest });
}

async function open(webhook: object) {
  onGet(PATH, { ...none, ...webhook });
  onPreferences({ accepted: channels, messages: channels });
  renderApp(<WebhookCard />);
  return within(await screen.findByRole('region', { name: 'Webhook' }));
}

describe('the webhook', () => {
  it('is set, and its secret is shown', async () => {
    const card = await open({});
    expect(card.queryByRole('button', { name: 'Send a Test Event' })).toBeNull();
    const bodies = onWrite('put', PATH, () => {
      onGet(PATH, { ...none, url, since });
      return HttpResponse.json({ url, since, stopped: null, secret });
    });
    await userEvent.type(card.getByLabelText('Address'), 'hook.example');
    await userEvent.click(card.getByRole('button', { name: 'Add Webhook' }));
    expect(await card.findByText('Enter an address that begins with https://')).toBeVisible();
    await userEvent.clear(card.getByLabelText('Address'));
    await userEvent.type(card.getByLabelText('Address'), url);
    await userEvent.click(card.getByRole('button', { name: 'Add Webhook' }));
    expect(await card.findByLabelText('Secret for the signatures')).toHaveValue(secret);
    expect(bodies).toEqual([{ url }]);
    expect(await card.findByRole('button', { name: 'Send a Test Event' })).toBeVisible();
  });

  it('says why the server refuses an address', async () => {
    const card = await open({});
    const refusal = 'The address must be on the public internet, without a user name';
    const errors = [{ field: 'url', message: refusal }];
    onWrite('put', PATH, () => problem(422, 'invalid_fields', refusal, errors));
    await userEvent.type(card.getByLabelText('Address'), 'https://10.0.0.1');
    await userEvent.click(card.getByRole('button', { name: 'Add Webhook' }));
    expect(await card.findByText(refusal)).toBeVisible();
  });

  it('gets a test event and a new secret', async () => {
    const card = await open({ url, since });
    expect(card.queryByLabelText('Secret for the signatures')).toBeNull();
    const tests = onWrite('post', '/api/notifications/webhook/test', ok);
    await userEvent.click(card.getByRole('button', { name: 'Send a Test Event' }));
    expect(await screen.findByText('Test Event on Its Way')).toBeVisible();
    expect(tests).toHaveLength(1);
    const bodies = onWrite('put', PATH, () => HttpResponse.json({ url, since, stopped: null, secret }));
    await userEvent.click(card.getByRole('button', { name: 'New Secret' }));
    expect(await card.findByLabelText('Secret for the signatures')).toHaveValue(secret);
    expect(bodies).toEqual([{ url }]);
  });

  it('gets a new secret with each address', async () => {
    const card = await open({ url, since });
    onWrite('put', PATH, () => HttpResponse.json({ url, since, stopped: null, secret }));
    await userEvent.click(card.getByRole('button', { name: 'Save Address' }));
    expect(await screen.findByText('The old one signs no more events.')).toBeVisible();
    expect(await card.findByLabelText('Secret for the signatures')).toHaveValue(secret);
  });

  it('is removed', async () => {
    const card = await open({ url, since });
    const removals = onWrite('delete', PATH, () => {
      onGet(PATH, none);
      return ok();
    });
    await userEvent.click(card.getByRole('button', { name: 'Remove Webhook' }));
    expect(await card.findByRole('button', { name: 'Add Webhook' })).toBeVisible();
    expect(removals).toHaveLength(1);
    expect(card.queryByRole('button', { name: 'Remove Webhook' })).toBeNull();
  });

  it('shows that the server wants no more events', async () => {
    const card = await open({ url, since, stopped: 'status 410' });
    expect(card.getByRole('alert')).toHaveTextContent(
      'Your server answered that it wants no more events (410)',
    );
    expect(card.queryByRole('button', { name: 'Send a Test Event' })).toBeNull();
  });

  it('has kinds of its own', async () => {
    const card = await open({ url, since });
    const bodies = onWrite('put', '/api/notifications/preferences', () => HttpResponse.json({}));
    await userEvent.click(await card.findByLabelText('Messages on your bets'));
    await userEvent.click(card.getByRole('button', { name: 'Save Events' }));
    expect(await screen.findByText('Events Saved')).toBeVisible();
    expect(bodies).toEqual([{ kinds: { accepted: channels, messages: { ...channels, webhook: false } } }]);
  });

  it('keeps what the card of the mails has saved since', async () => {
    const card = await open({ url, since });
    await userEvent.click(await card.findByLabelText('Messages on your bets'));
    const saved = { ...channels, email: false };
    const off = { ...saved, webhook: false };
    onPreferences({ accepted: off, messages: saved });
    onWrite('post', `${PATH}/test`, ok);
    await userEvent.click(card.getByRole('button', { name: 'Send a Test Event' }));
    await waitFor(() => expect(card.getByLabelText('Somebody takes your bet')).not.toBeChecked());
    const bodies = onWrite('put', '/api/notifications/preferences', () => HttpResponse.json({}));
    await userEvent.click(card.getByRole('button', { name: 'Save Events' }));
    expect(await screen.findByText('Events Saved')).toBeVisible();
    expect(bodies).toEqual([{ kinds: { accepted: off, messages: off } }]);
  });

  it('says that it failed to load, and tries again', async () => {
    server.use(http.get(PATH, () => problem(503, 'unavailable', 'Try again.')));
    renderApp(<WebhookCard />);
    const card = within(await screen.findByRole('region', { name: 'Webhook' }));
    expect(card.getByText('Your webhook could not be loaded.')).toBeVisible();
    onGet(PATH, none);
    await userEvent.click(card.getByRole('button', { name: 'Try again' }));
    expect(await card.findByRole('button', { name: 'Add Webhook' })).toBeVisible();
  });

  it('says that the choice of kinds failed to load', async () => {
    onGet(PATH, { ...none, url, since });
    server.use(http.get('/api/notifications/preferences', () => problem(503, 'unavailable', 'x')));
    renderApp(<WebhookCard />);
    expect(await screen.findByText('Your choices could not be loaded.')).toBeVisible();
    onPreferences({ messages: channels });
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('button', { name: 'Save Events' })).toBeVisible();
  });
});
