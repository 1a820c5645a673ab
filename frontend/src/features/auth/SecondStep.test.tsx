import { screen, waitFor } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeEach, expect, it, vi } from 'vitest';
import AuthPage from '../../pages/AuthPage';
import { user as me } from '../../test/fixtures';
import { renderApp } from '../../test/render';
import { onGet, onWrite, problem } from '../../test/server';

const { fullLoad } = vi.hoisted(() => ({ fullLoad: vi.fn() }));
vi.mock('../../lib/paths', async (original) => ({ ...(await original<object>()), fullLoad }));

const toast = () => screen.getAllByRole('status').at(-1);
const signIn = () => screen.getByRole('button', { name: 'Sign In' });

function onPassword(methods: string[]) {
  onWrite('post', '/api/auth/login', () =>
    HttpResponse.json(
      {
        type: 'about:blank',
        title: 'Unauthorized',
        status: 401,
        code: 'second_factor_required',
        detail: 'Please enter the code of your second factor.',
        errors: [],
        challenge: 'c-1',
        methods,
      },
      { status: 401 },
    ),
  );
}

beforeEach(() => {
  fullLoad.mockReset();
  onGet('/api/auth/user', null);
  onPassword(['code', 'recoveryCode']);
});

async function withPassword() {
  const view = renderApp(<AuthPage />, '/auth?next=%2Fmarketplace');
  await view.user.type(screen.getByLabelText('Email Address'), 'a@example.com');
  await view.user.type(screen.getByLabelText('Password'), 'secret');
  await view.user.click(signIn());
  return view;
}

async function halfDone() {
  const view = await withPassword();
  await screen.findByLabelText('Code from the app');
  return view;
}

it('a user without an app and without recovery codes is asked for the passkey alone', async () => {
  onPassword(['passkey']);
  await withPassword();
  expect(await screen.findByRole('button', { name: 'Sign in with a passkey' })).toBeVisible();
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Sign In' })).toBeNull();
});

it('a sign-in asks for the code after the password', async () => {
  const sent = onWrite('post', '/api/auth/login/factor', () => HttpResponse.json(me));
  const { user } = await halfDone();
  await user.click(signIn());
  expect(await screen.findByText('A code is required')).toBeVisible();
  expect(sent).toEqual([]);
  await user.type(screen.getByLabelText('Code from the app'), ' 123456 ');
  await user.click(signIn());
  await waitFor(() => expect(fullLoad).toHaveBeenCalledWith('/marketplace'));
  expect(sent).toEqual([{ challenge: 'c-1', code: '123456' }]);
});

it('a recovery code replaces the code, and a wrong one is shown on its field', async () => {
  const sent = onWrite('post', '/api/auth/login/factor', () =>
    problem(422, 'invalid_fields', 'Wrong', [{ field: 'recoveryCode', message: 'This code is wrong' }]),
  );
  const { user } = await halfDone();
  await user.click(screen.getByRole('button', { name: 'Use a recovery code' }));
  await user.type(screen.getByLabelText('Recovery code'), 'aaaa-bbbb');
  await user.click(signIn());
  expect(await screen.findByText('This code is wrong')).toBeVisible();
  expect(sent).toEqual([{ challenge: 'c-1', recoveryCode: 'aaaa-bbbb' }]);
  await user.click(screen.getByRole('button', { name: 'Use the app' }));
  expect(await screen.findByLabelText('Code from the app')).toHaveValue('');
  expect(fullLoad).not.toHaveBeenCalled();
});

it('a sign-in that took too long begins again with the password', async () => {
  onWrite('post', '/api/auth/login/factor', () =>
    problem(401, 'challenge_gone', 'This sign-in took too long. Please enter your password again.'),
  );
  const { user } = await halfDone();
  await user.type(screen.getByLabelText('Code from the app'), '123456');
  await user.click(signIn());
  await waitFor(() => expect(toast()).toHaveTextContent('This sign-in took too long.'));
  expect(await screen.findByLabelText('Email Address')).toHaveValue('a@example.com');
  expect(screen.getByLabelText('Password')).toHaveValue('');
});

it('goes back to the password', async () => {
  const { user } = await halfDone();
  await user.click(screen.getByRole('button', { name: 'Back to the password' }));
  expect(await screen.findByLabelText('Password')).toBeVisible();
});
