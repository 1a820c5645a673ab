import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import type { User } from '../../api/types';
import AccountPage from '../../pages/AccountPage';
import { user as fixture } from '../../test/fixtures';
import { renderApp } from '../../test/render';
import { onGet, onWrite, problem, server } from '../../test/server';

const me: User = { ...fixture, username: 'memo' };
const toast = () => screen.getAllByRole('status').at(-1);

async function opened(change: Partial<User> = {}) {
  onGet('/api/auth/user', { ...me, ...change });
  const view = renderApp(<AccountPage />, '/account');
  await screen.findByRole('heading', { level: 1, name: 'Account Settings' });
  return view;
}

describe('overview and balances', () => {
  it('shows email, username and since when', async () => {
    await opened();
    const overview = screen.getByRole('region', { name: 'Account Overview' });
    expect(overview).toHaveTextContent('Email Addressme@example.com');
    expect(overview).toHaveTextContent('Usernamememo');
    expect(overview).toHaveTextContent('Jan 1, 2026');
  });

  it('says what is not set', async () => {
    await opened({ username: null, createdAt: '' });
    const overview = screen.getByRole('region', { name: 'Account Overview' });
    expect(overview).toHaveTextContent('Not set');
    expect(overview).toHaveTextContent('Recently');
  });

  it('shows Bolts as practice and sats with their worth', async () => {
    await opened({ boltsBalance: 1234567, satsBalance: 123456 });
    const bolts = screen.getByRole('region', { name: 'Bolts Balance' });
    expect(bolts).toHaveTextContent('1,234,567 Bolts');
    expect(bolts).toHaveTextContent('Practice Currency');
    expect(bolts).toHaveTextContent('No real value • Perfect for practice betting');
    const sats = screen.getByRole('region', { name: 'Sats Balance' });
    expect(sats).toHaveTextContent('123,456 Sats');
    expect(sats).toHaveTextContent('0.00123456 BTC');
    expect(sats).toHaveTextContent('$117.28');
    await waitFor(() => expect(sats).toHaveTextContent('Real Bitcoin • Lightning Network ready'));
  });

  it.each([
    ['/account', '/auth?next=%2Faccount'],
    ['/account#security', '/auth?next=%2Faccount%23security'],
    ['/account?deposit', '/auth?next=%2Faccount%3Fdeposit'],
  ])('denies visitors of %s, and leads back there after a sign-in', async (path, signIn) => {
    server.use(http.get('/api/auth/user', () => problem(401, 'unauthorized', 'x')));
    renderApp(<AccountPage />, path);
    expect(await screen.findByRole('heading', { name: 'Access Denied' })).toBeVisible();
    expect(screen.getByText('Please log in to access your account settings.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Log In' })).toHaveAttribute('href', signIn);
  });
});

it('has at most one primary action a card', async () => {
  await opened();
  await screen.findByRole('heading', { name: 'Delete account' });
  const actions = [...document.querySelectorAll('section')].map((card) => [
    card.querySelector('h2')?.textContent,
    card.querySelectorAll('.primary').length,
  ]);
  expect(actions.length).toBeGreaterThan(8);
  expect(actions.filter(([, count]) => Number(count) > 1)).toEqual([]);
});

describe('profile', () => {
  const username = () => screen.getByLabelText('Username');
  const save = () => screen.getByRole('button', { name: 'Save Changes' });

  it.each([
    ['', 'Username must be at least 3 characters'],
    ['ab', 'Username must be at least 3 characters'],
    ['a'.repeat(21), 'Username must be less than 20 characters'],
    ['not ok', 'Username can only contain letters, numbers, and underscores'],
  ])('refuses %j', async (name, words) => {
    const sent = onWrite('patch', '/api/auth/profile', () => HttpResponse.json(me));
    const { user } = await opened();
    await user.clear(username());
    if (name) await user.type(username(), name);
    await user.click(save());
    expect(await screen.findByText(words)).toBeVisible();
    await waitFor(() => expect(username()).toHaveFocus());
    expect(sent).toEqual([]);
  });

  it.each(['abc', 'A_1'.padEnd(20, 'z')])('takes %j', async (name) => {
    const sent = onWrite('patch', '/api/auth/profile', () => HttpResponse.json({ ...me, username: name }));
    const { user } = await opened();
    await user.clear(username());
    await user.type(username(), name);
    await user.click(save());
    await waitFor(() => expect(sent).toEqual([{ username: name, firstName: '', lastName: '' }]));
  });

  it('saves the names and reads the user again', async () => {
    const { user } = await opened();
    const sent = onWrite('patch', '/api/auth/profile', () => {
      onGet('/api/auth/user', { ...me, username: 'ada_1' });
      return HttpResponse.json({ ...me, username: 'ada_1', firstName: 'Ada' });
    });
    await user.clear(username());
    await user.type(username(), ' ada_1 ');
    await user.type(screen.getByLabelText(/First Name/), 'Ada');
    await user.click(save());
    await waitFor(() => expect(toast()).toHaveTextContent('Profile Updated'));
    expect(sent).toEqual([{ username: 'ada_1', firstName: 'Ada', lastName: '' }]);
    expect(username()).toHaveValue('ada_1');
    await waitFor(() =>
      expect(screen.getByRole('region', { name: 'Account Overview' })).toHaveTextContent('ada_1'),
    );
  });

  it('shows a taken username on its field', async () => {
    onWrite('patch', '/api/auth/profile', () =>
      problem(409, 'username_taken', 'This username is already taken.'),
    );
    const { user } = await opened();
    await user.click(save());
    await waitFor(() => expect(username()).toHaveAccessibleDescription(/This username is already taken\./));
    await waitFor(() => expect(toast()).toHaveTextContent('Update Failed'));
  });

  it("shows the server's field errors on the fields", async () => {
    onWrite('patch', '/api/auth/profile', () =>
      problem(422, 'invalid', 'Some fields need another look.', [
        { field: 'lastName', message: 'Last name must be at most 50 characters' },
      ]),
    );
    const { user } = await opened();
    await user.click(save());
    expect(await screen.findByText('Last name must be at most 50 characters')).toBeVisible();
  });

  it('has words of its own where the server has none', async () => {
    onWrite('patch', '/api/auth/profile', () => problem(500, 'internal', ''));
    const { user } = await opened();
    await user.click(save());
    await waitFor(() => expect(toast()).toHaveTextContent(/Update Failed/));
  });
});

describe('password', () => {
  async function update(current: string, next: string, confirm: string) {
    const view = await opened();
    if (current) await view.user.type(screen.getByLabelText('Current Password'), current);
    if (next) await view.user.type(screen.getByLabelText('New Password'), next);
    if (confirm) await view.user.type(screen.getByLabelText('Confirm New Password'), confirm);
    await view.user.click(screen.getByRole('button', { name: 'Update Password' }));
  }

  it.each([
    ['', '', '', 'Current password is required'],
    ['old-one', 'short', '', 'New password must be at least 6 characters'],
    ['old-one', 'long-enough', '', 'Please confirm your new password'],
    ['old-one', 'long-enough', 'long-enouhg', "Passwords don't match"],
  ])('tells the first failure of %j, %j, %j', async (current, next, confirm, words) => {
    const sent = onWrite('patch', '/api/auth/password', () => HttpResponse.json({ ok: true }));
    await update(current, next, confirm);
    await waitFor(() => expect(toast()).toHaveTextContent(`Validation Error${words}`));
    expect(sent).toEqual([]);
  });

  it('names the account to password managers, and to nobody else', async () => {
    const { container } = await opened();
    const name = container.querySelector('form:has([type="password"]) [autocomplete="username"]');
    expect(name).toHaveValue('me@example.com');
    expect(name).not.toBeVisible();
  });

  it('says what else ends with the old one', async () => {
    await opened();
    expect(screen.getByText(/everywhere else, revokes your API keys and removes your webhook/)).toBeVisible();
  });

  it('changes it and clears the form', async () => {
    const sent = onWrite('patch', '/api/auth/password', () => HttpResponse.json({ ok: true }));
    await update('old-one', 'new-one', 'new-one');
    await waitFor(() => expect(toast()).toHaveTextContent('Password Updated'));
    expect(sent).toEqual([{ currentPassword: 'old-one', newPassword: 'new-one' }]);
    expect(screen.getByLabelText('Current Password')).toHaveValue('');
  });

  it('shows a wrong current password on its field', async () => {
    onWrite('patch', '/api/auth/password', () =>
      problem(422, 'invalid', 'Some fields need another look.', [
        { field: 'currentPassword', message: 'The current password is wrong' },
      ]),
    );
    await update('old-one', 'new-one', 'new-one');
    await waitFor(() =>
      expect(screen.getByLabelText('Current Password')).toHaveAccessibleDescription(
        'The current password is wrong',
      ),
    );
    await waitFor(() => expect(toast()).toHaveTextContent('Error'));
    // When the focus moves to the field, its error must stay. Only a change of the value removes the error.
    const current = screen.getByLabelText('Current Password');
    await waitFor(() => expect(current).toHaveFocus());
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(current).toHaveAttribute('aria-invalid', 'true');
    await userEvent.type(current, 'x');
    await userEvent.tab();
    await waitFor(() => expect(current).toHaveAttribute('aria-invalid', 'false'));
  });
});
