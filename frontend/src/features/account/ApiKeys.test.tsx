import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import type { ApiKey } from '../../api/types';
import { renderApp } from '../../test/render';
import { onGet, onWrite, problem } from '../../test/server';
import { ApiKeysCard } from './api-keys/ApiKeysCard';

const PATH = '/api/auth/keys';
const BOT = '/api/auth/keys/k-1';
const secret = 'bolts_3xK9aQd0mJ8b7VYcXwq2RzT5nHsLfEuPGkAoi16DWvM';
const bot: ApiKey = {
  id: 'k-1',
  name: 'Trading bot',
  beginning: 'bolts_3xK9aQ',
  scopes: ['read', 'bet'],
  createdAt: '2026-01-01T00:00:00Z',
  expiresAt: '2026-04-01T00:00:00Z',
  lastUsedAt: null,
};

async function opened(keys: ApiKey[]) {
  onGet(PATH, keys);
  renderApp(<ApiKeysCard email="ann@example.com" />);
  const card = within(await screen.findByRole('region', { name: 'API keys' }));
  return { card, user: userEvent.setup() };
}

const made = () => HttpResponse.json({ key: bot, secret }, { status: 201 });

describe('API keys', () => {
  it('are made with a name, scopes and the password, and shown once', async () => {
    const { card, user } = await opened([]);
    expect(await card.findByText('You have no API keys.')).toBeVisible();
    const bodies = onWrite('post', PATH, () => {
      onGet(PATH, [bot]);
      return made();
    });
    await user.click(card.getByRole('button', { name: 'Make a key' }));
    await user.type(card.getByLabelText(/Name of the key/), 'Trading bot');
    await user.click(card.getByRole('checkbox', { name: /^Bet/ }));
    await user.selectOptions(card.getByLabelText('Valid for'), '30 days');
    await user.type(card.getByLabelText('Your password'), 'secret');
    await user.click(card.getByRole('button', { name: 'Make key' }));
    expect(await card.findByLabelText('Your new key')).toHaveValue(secret);
    expect(bodies).toEqual([
      { name: 'Trading bot', scopes: ['read', 'bet'], expiresInDays: 30, password: 'secret' },
    ]);
    expect(await card.findByText('bolts_3xK9aQ… · Read, Bet')).toBeVisible();
    await user.click(card.getByRole('button', { name: 'I have saved the key' }));
    expect(card.queryByLabelText('Your new key')).toBeNull();
    expect(card.getByRole('button', { name: 'Make a key' })).toBeVisible();
  });

  it('may only read unless the user chooses more', async () => {
    const { card, user } = await opened([]);
    await user.click(await card.findByRole('button', { name: 'Make a key' }));
    const chosen = () => card.getAllByRole('checkbox').map((box) => (box as HTMLInputElement).checked);
    expect(chosen()).toEqual([true, false, false]);
    expect(card.getByLabelText('Valid for')).toHaveDisplayValue('90 days');
    const bodies = onWrite('post', PATH, made);
    await user.click(card.getByRole('checkbox', { name: /^Read/ }));
    await user.click(card.getByRole('button', { name: 'Make key' }));
    expect(await card.findByText('A name is required')).toBeVisible();
    expect(card.getByText('Choose what the key may do')).toBeVisible();
    expect(card.getByText('Your password is required')).toBeVisible();
    expect(bodies).toEqual([]);
  });

  it('say why the server refuses one', async () => {
    const { card, user } = await opened([]);
    const wrong = [{ field: 'password', message: 'The password is incorrect' }];
    onWrite('post', PATH, () => problem(422, 'invalid_fields', 'Wrong', wrong));
    await user.click(await card.findByRole('button', { name: 'Make a key' }));
    await user.type(card.getByLabelText(/Name of the key/), 'Bot');
    await user.type(card.getByLabelText('Your password'), 'guess!');
    await user.click(card.getByRole('button', { name: 'Make key' }));
    expect(await card.findByText('The password is incorrect')).toBeVisible();
    onWrite('post', PATH, () => problem(409, 'key_limit_reached', 'Your account has 10 API keys already.'));
    await user.click(card.getByRole('button', { name: 'Make key' }));
    expect(await screen.findByText('Your account has 10 API keys already.')).toBeVisible();
    await user.click(card.getByRole('button', { name: 'Cancel' }));
    expect(card.getByRole('button', { name: 'Make a key' })).toBeVisible();
  });

  it('are revoked after one question', async () => {
    const { card, user } = await opened([
      bot,
      { ...bot, id: 'k-2', name: 'Reader', lastUsedAt: bot.createdAt },
    ]);
    const list = within(await card.findByRole('list', { name: 'Your API keys' }));
    const [first, second] = list.getAllByRole('listitem');
    expect(first).toHaveTextContent('never used');
    expect(second).toHaveTextContent('last used');
    const bodies = onWrite('delete', BOT, () => {
      onGet(PATH, []);
      return HttpResponse.json({ ok: true });
    });
    await user.click(card.getByRole('button', { name: 'Revoke Trading bot' }));
    expect(card.getByText(/^Programs that use it stop/)).toBeVisible();
    await user.click(card.getByRole('button', { name: 'Cancel' }));
    expect(bodies).toEqual([]);
    await user.click(card.getByRole('button', { name: 'Revoke Trading bot' }));
    await user.click(card.getByRole('button', { name: 'Revoke' }));
    await waitFor(() => expect(card.getByText('You have no API keys.')).toBeVisible());
    expect(bodies).toHaveLength(1);
  });

  it('stay in the list if they cannot be revoked', async () => {
    const { card, user } = await opened([bot]);
    onWrite('delete', BOT, () => problem(503, 'unavailable', 'Please try again.'));
    await user.click(await card.findByRole('button', { name: 'Revoke Trading bot' }));
    await user.click(card.getByRole('button', { name: 'Revoke' }));
    expect(await screen.findByText('Please try again.')).toBeVisible();
    expect(card.getByText(/^Programs that use it stop/)).toBeVisible();
  });
});
