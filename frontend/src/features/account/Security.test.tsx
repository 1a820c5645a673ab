import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Factors, Session } from '../../api/types';
import { openedSecurity as opened } from '../../test/account';
import { user as me } from '../../test/fixtures';
import { onGet, onWrite, problem, server } from '../../test/server';

const toast = () => screen.getAllByRole('status').at(-1);

const sessions: Session[] = [
  {
    id: 's-1',
    isCurrent: true,
    device: 'Firefox on Linux',
    network: '203.0.113.0/24',
    createdAt: '2026-01-01T00:00:00Z',
    lastSeenAt: '2026-01-02T00:00:00Z',
  },
  {
    id: 's-2',
    isCurrent: false,
    device: null,
    network: null,
    createdAt: '2026-01-01T00:00:00Z',
    lastSeenAt: '2026-01-02T00:00:00Z',
  },
];
const none: Factors = { totp: false, passkeys: [], recoveryCodesLeft: 0 };
const some: Factors = { totp: true, passkeys: [], recoveryCodesLeft: 10 };

beforeEach(() => {
  onGet('/api/auth/user', me);
  onGet('/api/auth/factors', none);
  onGet('/api/auth/sessions', sessions);
  onGet('/api/withdrawals', []);
  onGet('/api/wallet/history', []);
});

const factor = () => screen.getByRole('region', { name: 'Second Factor' });
const places = () => screen.getByRole('region', { name: 'Where you are signed in' });

it('the page has sections with addresses', async () => {
  const { user } = await opened();
  const links = within(screen.getByRole('navigation', { name: 'Sections of your account' }));
  const sections = [
    ['Profile', '#profile'],
    ['Wallet', '#wallet'],
    ['Notifications', '#notifications'],
    ['Security', '#security'],
    ['Data', '#data'],
  ] as const;
  expect(links.getAllByRole('link').map((link) => link.textContent)).toEqual(sections.map(([name]) => name));
  const places = sections.map(([, place]) => document.querySelector(place));
  for (const [index, place] of places.entries()) {
    const next = places[index + 1];
    if (next) expect(place?.compareDocumentPosition(next)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  }
  for (const [name, place] of sections) {
    expect(links.getByRole('link', { name })).toHaveAttribute('href', `/account${place}`);
    expect(document.querySelector(place)).not.toBeNull();
  }
  await user.click(links.getByRole('link', { name: 'Security' }));
  expect(links.getByRole('link', { name: 'Security' })).toHaveAttribute('aria-current', 'location');
});

it('a section comes into view and takes the focus at each press of its link', async () => {
  const { user } = await opened();
  const security = document.querySelector('#security') as HTMLElement;
  security.scrollIntoView = vi.fn();
  const link = screen.getByRole('link', { name: 'Security' });
  for (const presses of [1, 2]) {
    await user.click(link);
    await waitFor(() => expect(security.scrollIntoView).toHaveBeenCalledTimes(presses));
    expect(security).toHaveFocus();
  }
  await user.tab();
  expect(security).toContainElement(document.activeElement as HTMLElement);
});

describe('sessions', () => {
  it('are listed, and one is ended', async () => {
    const ended = onWrite('delete', '/api/auth/sessions/s-2', () => HttpResponse.json({ ok: true }));
    const { user } = await opened();
    const [own, other] = await within(places()).findAllByRole('listitem');
    expect(own).toHaveTextContent('Firefox on Linux from 203.0.113.0/24This browser');
    expect(other).toHaveTextContent('Unknown browser from unknown network');
    expect(within(own as HTMLElement).queryByRole('button')).toBeNull();
    onGet('/api/auth/sessions', sessions.slice(0, 1));
    await user.click(screen.getByRole('button', { name: 'End the session of Unknown browser' }));
    await waitFor(() => expect(ended).toHaveLength(1));
    await waitFor(() => expect(within(places()).getAllByRole('listitem')).toHaveLength(1));
    expect(screen.queryByRole('button', { name: 'End all other sessions' })).toBeNull();
  });

  it('are ended all at once', async () => {
    onWrite('post', '/api/auth/sessions/end-others', () => HttpResponse.json({ ended: 1 }));
    const { user } = await opened();
    await user.click(await screen.findByRole('button', { name: 'End all other sessions' }));
    await waitFor(() => expect(toast()).toHaveTextContent('Session Ended1 session has ended.'));
  });

  it('say that they could not be loaded', async () => {
    server.use(http.get('/api/auth/sessions', () => problem(503, 'unavailable', 'Later.')));
    await opened();
    expect(await within(places()).findByText('Your sessions could not be loaded')).toBeVisible();
  });
});

describe('an authenticator app', () => {
  it('is added with password and code, and gives recovery codes once', async () => {
    const begun = onWrite('post', '/api/auth/totp', () =>
      HttpResponse.json({ secret: 'GEZDGNBV', uri: 'otpauth://totp/Bolts:me?secret=GEZDGNBV' }),
    );
    let isFirst = true;
    const confirmed = onWrite('post', '/api/auth/totp/confirm', () => {
      if (isFirst) {
        isFirst = false;
        return problem(422, 'invalid_fields', 'Wrong', [{ field: 'code', message: 'This code is wrong.' }]);
      }
      onGet('/api/auth/factors', some);
      return HttpResponse.json({ recoveryCodes: ['aaaa-bbbb-cccc-dddd', 'eeee-ffff-gggg-hhhh'] });
    });
    const { user } = await opened();
    await user.click(await within(factor()).findByRole('button', { name: 'Add an authenticator app' }));
    await user.click(within(factor()).getByRole('button', { name: 'Continue' }));
    expect(await within(factor()).findByText('Your password is required')).toBeVisible();
    await user.type(within(factor()).getByLabelText('Password'), 'secret');
    await user.click(within(factor()).getByRole('button', { name: 'Continue' }));
    expect(await screen.findByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
    expect(screen.getByLabelText('Or type this key into the app')).toHaveValue('GEZDGNBV');
    expect(begun).toEqual([{ password: 'secret' }]);
    await user.type(screen.getByLabelText(/Code from the app/), '000000');
    await user.click(screen.getByRole('button', { name: 'Turn on' }));
    expect(await screen.findByText('This code is wrong.')).toBeVisible();
    await user.clear(screen.getByLabelText(/Code from the app/));
    await user.type(screen.getByLabelText(/Code from the app/), ' 123456');
    await user.click(screen.getByRole('button', { name: 'Turn on' }));
    const list = await screen.findByRole('list', { name: 'Recovery codes' });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['aaaa-bbbb-cccc-dddd', 'eeee-ffff-gggg-hhhh']);
    expect(confirmed).toEqual([{ code: '000000' }, { code: '123456' }]);
    await user.click(screen.getByRole('button', { name: 'I have saved the codes' }));
    expect(await within(factor()).findByText('Recovery codes left: 10')).toBeVisible();
    expect(screen.queryByText('aaaa-bbbb-cccc-dddd')).toBeNull();
  });

  it('is on after an answer that did not come, and new recovery codes are advised', async () => {
    onWrite('post', '/api/auth/totp', () =>
      HttpResponse.json({ secret: 'GEZDGNBV', uri: 'otpauth://totp/Bolts:me?secret=GEZDGNBV' }),
    );
    let isFirst = true;
    onWrite('post', '/api/auth/totp/confirm', () => {
      if (!isFirst) return problem(409, 'factor_exists', 'Your account has an authenticator app already.');
      isFirst = false;
      onGet('/api/auth/factors', some);
      return HttpResponse.error();
    });
    const { user } = await opened();
    await user.click(await within(factor()).findByRole('button', { name: 'Add an authenticator app' }));
    await user.type(within(factor()).getByLabelText('Password'), 'secret');
    await user.click(within(factor()).getByRole('button', { name: 'Continue' }));
    await user.type(await screen.findByLabelText(/Code from the app/), '123456');
    await user.click(screen.getByRole('button', { name: 'Turn on' }));
    await waitFor(() => expect(toast()).toHaveTextContent('The server could not be reached'));
    await user.click(screen.getByRole('button', { name: 'Turn on' }));
    await waitFor(() =>
      expect(toast()).toHaveTextContent(/^Second Factor On.*If you have no recovery codes, get new ones\./),
    );
    expect(await within(factor()).findByText('An authenticator app protects your account.')).toBeVisible();
    expect(within(factor()).getByRole('button', { name: 'Get new recovery codes' })).toBeVisible();
    expect(within(factor()).queryByLabelText('Code')).toBeNull();
  });

  it('is removed with a code', async () => {
    onGet('/api/auth/factors', { ...some, recoveryCodesLeft: 3 });
    const removed = onWrite('delete', '/api/auth/totp', () => {
      onGet('/api/auth/factors', none);
      return HttpResponse.json({ ok: true });
    });
    const { user } = await opened();
    expect(await within(factor()).findByText(/Get new ones before they run out/)).toBeVisible();
    await user.click(within(factor()).getByRole('button', { name: 'Remove the app' }));
    await user.type(within(factor()).getByLabelText('Code'), 'aaaa-bbbb-cccc-dddd');
    await user.click(within(factor()).getByRole('button', { name: 'Remove' }));
    expect(await within(factor()).findByText('Your account has no second factor.')).toBeVisible();
    expect(removed).toEqual([{ recoveryCode: 'aaaa-bbbb-cccc-dddd' }]);
  });
});

describe('an action that asks for the second factor', () => {
  const change = async (user: Awaited<ReturnType<typeof opened>>['user']) => {
    await user.type(screen.getByLabelText('Current Password'), 'secret');
    await user.type(screen.getByLabelText('New Password'), 'another');
    await user.type(screen.getByLabelText('Confirm New Password'), 'another');
    await user.click(screen.getByRole('button', { name: 'Update Password' }));
  };

  it('is sent again after the proof', async () => {
    let isProved = false;
    const changed = onWrite('patch', '/api/auth/password', () =>
      isProved
        ? HttpResponse.json({ ok: true })
        : problem(403, 'step_up_required', 'Please confirm this with your second factor.'),
    );
    const proofs = onWrite('post', '/api/auth/step-up', () => {
      isProved = true;
      return HttpResponse.json({ ok: true, until: '2099-01-01T00:00:00Z' });
    });
    const { user } = await opened();
    await change(user);
    const dialog = within(await screen.findByRole('dialog', { name: 'Confirm It Is You' }));
    await user.type(dialog.getByLabelText('Code'), '123 456');
    await user.click(dialog.getByRole('button', { name: 'Confirm' }));
    await waitFor(() => expect(toast()).toHaveTextContent('Password Updated'));
    expect(proofs).toEqual([{ code: '123 456' }]);
    expect(changed).toHaveLength(2);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('says why it was not done if the dialog is closed', async () => {
    const changed = onWrite('patch', '/api/auth/password', () =>
      problem(403, 'step_up_required', 'Please confirm this with your second factor.'),
    );
    const { user } = await opened();
    await change(user);
    const dialog = within(await screen.findByRole('dialog', { name: 'Confirm It Is You' }));
    await user.click(dialog.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(toast()).toHaveTextContent('Please confirm this with your second factor.'));
    expect(changed).toHaveLength(1);
  });
});
