import { fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import AuthPage from '../../pages/AuthPage';
import { renderApp } from '../../test/render';
import { onGet, onWrite, problem } from '../../test/server';

const { fullLoad } = vi.hoisted(() => ({ fullLoad: vi.fn() }));
vi.mock('../../lib/paths', async (original) => ({ ...(await original<object>()), fullLoad }));

beforeEach(() => {
  fullLoad.mockReset();
  onGet('/api/auth/user', null);
});

const email = () => screen.getByLabelText('Email Address');
const password = () => screen.getByLabelText('Password');
const toast = () => screen.getAllByRole('status').at(-1);

async function createMode(path = '/auth') {
  const view = renderApp(<AuthPage />, path);
  await view.user.click(screen.getByRole('button', { name: 'Create one here' }));
  return view;
}

it('keeps the email, and no password, from one mode to the other', async () => {
  const { user } = renderApp(<AuthPage />);
  await user.type(email(), 'a@example.com');
  await user.type(password(), 'secret1');
  await user.click(screen.getByRole('button', { name: 'Create one here' }));
  await waitFor(() => expect(email()).toHaveValue('a@example.com'));
  expect(password()).toHaveValue('');
  await user.type(email(), '.org');
  await user.click(screen.getByRole('button', { name: 'Sign in here' }));
  await waitFor(() => expect(email()).toHaveValue('a@example.com.org'));
});

describe('sign in', () => {
  it('is where the screen starts, and says what is wrong on the fields', async () => {
    const { user } = renderApp(<AuthPage />);
    await user.type(email(), 'not an email');
    await user.type(password(), '12345');
    await user.click(screen.getByRole('button', { name: 'Sign In' }));
    expect(await screen.findByText('Please enter a valid email address')).toBeVisible();
    expect(screen.getByText('Password must be at least 6 characters')).toBeVisible();
    expect(email()).toHaveAttribute('aria-invalid', 'true');
    await waitFor(() => expect(email()).toHaveFocus());
  });

  it('loads the page it came from, and only one of this site', async () => {
    const sent = onWrite('post', '/api/auth/login', () => HttpResponse.json({}));
    const { user } = renderApp(<AuthPage />, '/auth?next=%2Fbet%2Fabc%3Ftoken%3Dx');
    await user.type(email(), ' a@example.com ');
    await user.type(password(), ' secret ');
    await user.click(screen.getByRole('button', { name: 'Sign In' }));
    await waitFor(() => expect(fullLoad).toHaveBeenCalledWith('/bet/abc?token=x'));
    expect(sent).toEqual([{ email: 'a@example.com', password: ' secret ' }]);
  });

  it('loads the section of the page it came from', async () => {
    onWrite('post', '/api/auth/login', () => HttpResponse.json({}));
    const { user } = renderApp(<AuthPage />, '/auth?next=%2Faccount%23security');
    await user.type(email(), 'a@example.com');
    await user.type(password(), 'secret1');
    await user.click(screen.getByRole('button', { name: 'Sign In' }));
    await waitFor(() => expect(fullLoad).toHaveBeenCalledWith('/account#security'));
  });

  it('ignores a way back to another site', async () => {
    onWrite('post', '/api/auth/login', () => HttpResponse.json({}));
    const { user } = renderApp(<AuthPage />, '/auth?next=https%3A%2F%2Fevil.test%2F');
    await user.type(email(), 'a@example.com');
    await user.type(password(), 'secret1');
    await user.click(screen.getByRole('button', { name: 'Sign In' }));
    await waitFor(() => expect(fullLoad).toHaveBeenCalledWith('/'));
  });

  it("shows the server's words and keeps what was typed", async () => {
    onWrite('post', '/api/auth/login', () =>
      problem(401, 'invalid_credentials', 'Invalid email or password'),
    );
    const { user } = renderApp(<AuthPage />);
    await user.type(email(), 'a@example.com');
    await user.type(password(), 'wrong-one');
    await user.click(screen.getByRole('button', { name: 'Sign In' }));
    await waitFor(() => expect(toast()).toHaveTextContent('Login FailedInvalid email or password'));
    expect(email()).toHaveValue('a@example.com');
    expect(fullLoad).not.toHaveBeenCalled();
  });
});

describe('create account', () => {
  async function submit(values: { email?: string; password?: string; confirm?: string }) {
    const sent = onWrite('post', '/api/auth/register', () => HttpResponse.json({}, { status: 201 }));
    const { user } = await createMode();
    if (values.email) await user.type(email(), values.email);
    if (values.password) await user.type(password(), values.password);
    if (values.confirm) await user.type(screen.getByLabelText('Confirm Password'), values.confirm);
    await user.click(screen.getByRole('button', { name: 'Create Account' }));
    return sent;
  }

  it.each([
    [{ email: 'a@example.com', password: 'abc' }, 'Please fill in all fields'],
    [{ email: 'a@example.com', password: 'abc', confirm: 'abd' }, "Passwords don't match"],
    [{ email: 'a@example.com', password: 'abc', confirm: 'abc' }, 'Password must be at least 6 characters'],
  ])('checks %j in order: %s', async (values, words) => {
    const sent = await submit(values);
    await waitFor(() => expect(toast()).toHaveTextContent(`Validation Error${words}`));
    expect(sent).toEqual([]);
  });

  it('sends no confirmation, and goes to the start page', async () => {
    const sent = await submit({ email: 'a@example.com', password: 'secret1', confirm: 'secret1' });
    await waitFor(() => expect(fullLoad).toHaveBeenCalledWith('/'));
    expect(sent).toEqual([{ email: 'a@example.com', password: 'secret1' }]);
  });

  it("puts the server's field errors on the fields", async () => {
    const { user } = await createMode();
    onWrite('post', '/api/auth/register', () =>
      problem(409, 'email_taken', 'This email is already registered.', [
        { field: 'email', message: 'Already taken' },
      ]),
    );
    await user.type(email(), 'a@example.com');
    await user.type(password(), 'secret1');
    await user.type(screen.getByLabelText('Confirm Password'), 'secret1');
    await user.click(screen.getByRole('button', { name: 'Create Account' }));
    expect(await screen.findByText('Already taken')).toBeVisible();
  });
});

it('shows and hides a password', async () => {
  const { user } = renderApp(<AuthPage />);
  expect(password()).toHaveAttribute('type', 'password');
  await user.click(screen.getByRole('button', { name: 'Show password' }));
  await waitFor(() => expect(password()).toHaveAttribute('type', 'text'));
  await user.click(screen.getByRole('button', { name: 'Hide password' }));
  await waitFor(() => expect(password()).toHaveAttribute('type', 'password'));
});

it('keeps the field focused while the button is pressed, so that no late error moves it away', () => {
  renderApp(<AuthPage />);
  const kept = !fireEvent.mouseDown(screen.getByRole('button', { name: 'Sign In' }));
  expect(kept).toBe(true);
});
