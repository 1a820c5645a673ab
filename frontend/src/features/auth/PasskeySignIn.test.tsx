import { screen, waitFor } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeEach, expect, it, vi } from 'vitest';
import AuthPage from '../../pages/AuthPage';
import { type Browser, fakeAuthenticator, noPasskeys } from '../../test/authenticator';
import { user as me } from '../../test/fixtures';
import { renderApp } from '../../test/render';
import { onGet, onWrite, problem } from '../../test/server';

const { fullLoad } = vi.hoisted(() => ({ fullLoad: vi.fn() }));
vi.mock('../../lib/paths', async (original) => ({ ...(await original<object>()), fullLoad }));

const toast = () => screen.getAllByRole('status').at(-1);
const ceremony = { ceremony: 'c-1', publicKey: { challenge: 'AAAA' } };
const signed = { ceremony: 'c-1', credential: { id: 'signed' } };
const button = () => screen.findByRole('button', { name: 'Sign in with a passkey' });

let device: Browser;

beforeEach(() => {
  fullLoad.mockReset();
  device = fakeAuthenticator();
  onGet('/api/auth/user', null);
  onGet('/api/config', { isTestMode: false, hasPasskeys: true });
  onWrite('post', '/api/auth/login/passkey/options', () => HttpResponse.json(ceremony));
});

it('a passkey signs in without a password', async () => {
  const sent = onWrite('post', '/api/auth/login/passkey', () => HttpResponse.json(me));
  const { user } = renderApp(<AuthPage />, '/auth?next=%2Fmarketplace');
  await user.click(await button());
  await waitFor(() => expect(fullLoad).toHaveBeenCalledWith('/marketplace'));
  expect(sent).toEqual([signed]);
  expect(device.get).toHaveBeenCalledWith({ publicKey: ceremony.publicKey });
});

it('says what went wrong: refused, cancelled, or an old browser', async () => {
  const refused = 'This passkey was not accepted. Please try again.';
  onWrite('post', '/api/auth/login/passkey', () => problem(401, 'invalid_credentials', refused));
  const { user } = renderApp(<AuthPage />, '/auth');
  await user.click(await button());
  await waitFor(() => expect(toast()).toHaveTextContent(refused));
  device.get.mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'));
  await user.click(await button());
  await waitFor(() => expect(toast()).toHaveTextContent('Your browser gave no passkey.'));
  noPasskeys();
  await user.click(await button());
  await waitFor(() => expect(toast()).toHaveTextContent('This browser can’t use passkeys.'));
  expect(fullLoad).not.toHaveBeenCalled();
});

it('is not offered where there are none, nor for a new account', async () => {
  onGet('/api/config', { isTestMode: false, hasPasskeys: false });
  renderApp(<AuthPage />, '/auth');
  await screen.findByRole('button', { name: 'Sign In' });
  expect(screen.queryByRole('button', { name: 'Sign in with a passkey' })).toBeNull();
});

it('a passkey is the second step after the password', async () => {
  const half = {
    type: 'about:blank',
    title: 'Unauthorized',
    status: 401,
    code: 'second_factor_required',
    detail: 'Please enter the code of your second factor.',
    errors: [],
    challenge: 'h-1',
    methods: ['passkey', 'recoveryCode'],
  };
  onWrite('post', '/api/auth/login', () => HttpResponse.json(half, { status: 401 }));
  const begun = onWrite('post', '/api/auth/login/factor/options', () => HttpResponse.json(ceremony));
  const sent = onWrite('post', '/api/auth/login/factor', () => HttpResponse.json(me));
  const { user } = renderApp(<AuthPage />, '/auth');
  await user.type(screen.getByLabelText('Email Address'), 'a@example.com');
  await user.type(screen.getByLabelText('Password'), 'secret');
  await user.click(screen.getByRole('button', { name: 'Sign In' }));
  expect(await screen.findByLabelText('Recovery code')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Use the app' })).toBeNull();
  await user.click(await button());
  await waitFor(() => expect(fullLoad).toHaveBeenCalled());
  expect(begun).toEqual([{ challenge: 'h-1' }]);
  expect(sent).toEqual([{ challenge: 'h-1', passkey: signed }]);
});
