import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Factors } from '../../api/types';
import { LATE, openedSecurity as opened } from '../../test/account';
import { type Browser, fakeAuthenticator, noPasskeys } from '../../test/authenticator';
import { user as me } from '../../test/fixtures';
import { onGet, onWrite, problem } from '../../test/server';

const toast = () => screen.getAllByRole('status').at(-1);
const factor = () => screen.getByRole('region', { name: 'Second Factor' });
const inFactor = () => within(factor());

const passkey = {
  id: 'p-1',
  name: 'My phone',
  createdAt: '2026-01-01T00:00:00Z',
  lastUsedAt: null,
  isDisabled: false,
};
const none: Factors = { totp: false, passkeys: [], recoveryCodesLeft: 0 };
const some: Factors = { totp: false, passkeys: [passkey], recoveryCodesLeft: 10 };
const ceremony = { ceremony: 'c-1', publicKey: { challenge: 'AAAA' } };

let device: Browser;

beforeEach(() => {
  device = fakeAuthenticator();
  onGet('/api/config', { isTestMode: false, hasPasskeys: true });
  onGet('/api/auth/user', me);
  onGet('/api/auth/factors', none);
  onGet('/api/withdrawals', []);
  onGet('/api/wallet/history', []);
});

async function fillIn(user: Awaited<ReturnType<typeof opened>>['user']) {
  await user.click(await inFactor().findByRole('button', { name: 'Add a passkey' }, LATE));
  await user.clear(inFactor().getByLabelText(/Name of the passkey/));
  await user.type(inFactor().getByLabelText(/Name of the passkey/), 'My phone');
  await user.type(inFactor().getByLabelText('Password'), 'secret');
  await user.click(inFactor().getByRole('button', { name: 'Continue' }));
}

describe('a passkey', () => {
  it('is made with the password, and gives recovery codes once', async () => {
    const begun = onWrite('post', '/api/auth/passkeys/options', () => HttpResponse.json(ceremony));
    const added = onWrite('post', '/api/auth/passkeys', () => {
      onGet('/api/auth/factors', some);
      return HttpResponse.json({ recoveryCodes: ['aaaa-bbbb-cccc-dddd'] });
    });
    const { user } = await opened();
    await fillIn(user);
    expect(await screen.findByText('aaaa-bbbb-cccc-dddd')).toBeVisible();
    expect(begun).toEqual([{ password: 'secret' }]);
    expect(added).toEqual([{ name: 'My phone', ceremony: 'c-1', credential: { id: 'made' } }]);
    await user.click(screen.getByRole('button', { name: 'I have saved the codes' }));
    const list = await screen.findByRole('list', { name: 'Your passkeys' });
    expect(within(list).getByRole('listitem')).toHaveTextContent(/My phoneadded .*, never used/);
    expect(inFactor().getByText('Passkeys protect your account.')).toBeVisible();
  });

  it.each([
    ['NotAllowedError', 'Your browser gave no passkey.'],
    ['InvalidStateError', 'This device has a passkey of your account already.'],
    ['SecurityError', 'Passkeys work only at the public address of this site.'],
    ['UnknownError', 'Your browser could not use a passkey.'],
  ])('is not made if the browser says %s', async (name, text) => {
    onWrite('post', '/api/auth/passkeys/options', () => HttpResponse.json(ceremony));
    const added = onWrite('post', '/api/auth/passkeys', () => HttpResponse.json({ recoveryCodes: [] }));
    device.create.mockRejectedValue(new DOMException('no', name));
    const { user } = await opened();
    await fillIn(user);
    await waitFor(() => expect(toast()).toHaveTextContent(text));
    expect(added).toEqual([]);
    expect(await inFactor().findByRole('button', { name: 'Continue' })).toBeEnabled();
  });

  it('is not made in a browser that knows none', async () => {
    noPasskeys();
    const { user } = await opened();
    await fillIn(user);
    await waitFor(() => expect(toast()).toHaveTextContent('This browser can’t use passkeys.'));
  });

  it('shows a wrong password and an empty name at their fields', async () => {
    onWrite('post', '/api/auth/passkeys/options', () =>
      problem(422, 'invalid_fields', 'Wrong', [{ field: 'password', message: 'The password is incorrect' }]),
    );
    const { user } = await opened();
    await fillIn(user);
    expect(await screen.findByText('The password is incorrect')).toBeVisible();
    await user.clear(inFactor().getByLabelText(/Name of the passkey/));
    await user.click(inFactor().getByRole('button', { name: 'Continue' }));
    expect(await screen.findByText('A name is required')).toBeVisible();
  });

  it('is renamed, and removed after a question', async () => {
    onGet('/api/auth/factors', some);
    let isRefused = true;
    const renamed = onWrite('patch', '/api/auth/passkeys/p-1', () => {
      if (!isRefused) return HttpResponse.json({ ok: true });
      isRefused = false;
      return problem(422, 'invalid_fields', 'Wrong', [{ field: 'name', message: 'Please enter a name' }]);
    });
    const removed = onWrite('delete', '/api/auth/passkeys/p-1', () => {
      onGet('/api/auth/factors', none);
      return HttpResponse.json({ ok: true });
    });
    const { user } = await opened();
    await user.click(await inFactor().findByRole('button', { name: 'Rename My phone' }, LATE));
    await user.clear(inFactor().getByLabelText('Name of the passkey'));
    await user.type(inFactor().getByLabelText('Name of the passkey'), 'Old phone');
    await user.click(inFactor().getByRole('button', { name: 'Save' }));
    expect(await inFactor().findByText('Please enter a name')).toBeVisible();
    await user.type(inFactor().getByLabelText('Name of the passkey'), '!');
    await user.click(inFactor().getByRole('button', { name: 'Save' }));
    await user.click(await inFactor().findByRole('button', { name: 'Remove My phone' }));
    expect(inFactor().getByText(/For the next 24 hours you can’t withdraw or stake sats/)).toBeVisible();
    await user.click(inFactor().getByRole('button', { name: 'Remove' }));
    expect(await inFactor().findByText('Your account has no second factor.')).toBeVisible();
    expect(renamed).toEqual([{ name: 'Old phone' }, { name: 'Old phone!' }]);
    expect(removed).toEqual([{}]);
  });

  it('says that it is disabled', async () => {
    onGet('/api/auth/factors', { ...some, passkeys: [{ ...passkey, isDisabled: true }] });
    await opened();
    expect(await inFactor().findByText(/Disabled, because a copy of it may exist/, {}, LATE)).toBeVisible();
  });

  it('is not offered on a site without passkeys', async () => {
    onGet('/api/config', { isTestMode: false, hasPasskeys: false });
    await opened();
    expect(await inFactor().findByText('Your account has no second factor.', {}, LATE)).toBeVisible();
    expect(inFactor().queryByRole('button', { name: 'Add a passkey' })).toBeNull();
  });
});

describe('new recovery codes', () => {
  async function asked(factors = some) {
    onGet('/api/auth/factors', factors);
    let isProved = false;
    onWrite('post', '/api/auth/recovery-codes', () =>
      isProved
        ? HttpResponse.json({ recoveryCodes: ['eeee-ffff-gggg-hhhh'] })
        : problem(403, 'step_up_required', 'Please confirm this with your second factor.'),
    );
    const proofs = onWrite('post', '/api/auth/step-up', () => {
      isProved = true;
      return HttpResponse.json({ ok: true, until: '2099-01-01T00:00:00Z' });
    });
    onWrite('post', '/api/auth/step-up/options', () => HttpResponse.json(ceremony));
    const { user } = await opened();
    await user.click(await inFactor().findByRole('button', { name: 'Get new recovery codes' }, LATE));
    const question = within(await screen.findByRole('dialog', { name: 'Get new recovery codes' }));
    expect(question.getByText(/^Your old recovery codes stop working at once\./)).toBeVisible();
    await user.click(question.getByRole('button', { name: 'Get new recovery codes' }));
    return { user, proofs, dialog: within(await screen.findByRole('dialog', { name: 'Confirm It Is You' })) };
  }

  it('come after a proof with a passkey', async () => {
    const { user, proofs, dialog } = await asked();
    await user.click(await dialog.findByRole('button', { name: 'Use a passkey' }));
    expect(await screen.findByText('eeee-ffff-gggg-hhhh')).toBeVisible();
    expect(proofs).toEqual([{ passkey: { ceremony: 'c-1', credential: { id: 'signed' } } }]);
  });

  it('do not come if the user cancels', async () => {
    device.get.mockRejectedValue(new DOMException('no', 'NotAllowedError'));
    const { user, proofs, dialog } = await asked();
    await user.click(await dialog.findByRole('button', { name: 'Use a passkey' }));
    expect(await screen.findByText(/Your browser gave no passkey/)).toBeInTheDocument();
    expect(proofs).toEqual([]);
    expect(dialog.getByLabelText('Code')).toBeVisible();
  });

  it('offer no passkey that is disabled', async () => {
    const disabled = { ...some, passkeys: [{ ...passkey, isDisabled: true }] };
    const { dialog } = await asked(disabled);
    expect(dialog.getByLabelText('Code')).toBeVisible();
    expect(dialog.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
  });
});
