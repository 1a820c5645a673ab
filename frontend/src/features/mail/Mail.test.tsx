import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { Route, Routes } from 'react-router-dom';
import { describe, expect, it } from 'vitest';
import AccountPage from '../../pages/AccountPage';
import AuthPage from '../../pages/AuthPage';
import MailPage from '../../pages/MailPage';
import { user } from '../../test/fixtures';
import { renderApp } from '../../test/render';
import { onGet, onWrite, problem, server } from '../../test/server';

const TOKEN = 'A'.repeat(43);
const ok = () => HttpResponse.json({ ok: true });
const signedOut = () => server.use(http.get('/api/auth/user', () => problem(401, 'not_signed_in', 'x')));

function openMail(what: string, token = TOKEN) {
  signedOut();
  return renderApp(
    <Routes>
      <Route path="/mail/*" element={<MailPage />} />
    </Routes>,
    `/mail/${what}#${token}`,
  );
}

describe('links in mails', () => {
  it('confirms an address after a click, and takes the token out of the address', async () => {
    const bodies = onWrite('post', '/api/auth/verify-email', ok);
    openMail('verify');
    expect(await screen.findByRole('heading', { name: 'Confirm Your Email Address' })).toBeVisible();
    expect(window.location.hash).toBe('');
    expect(bodies).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Confirm This Address' }));
    expect(await screen.findByText('Your email address is confirmed.')).toBeVisible();
    expect(bodies).toEqual([{ token: TOKEN }]);
    expect(screen.getByRole('link', { name: 'Continue' })).toHaveAttribute('href', '/');
  });

  it('says why an address was not confirmed', async () => {
    onWrite('post', '/api/auth/verify-email', () =>
      problem(422, 'invalid_fields', 'This link is not valid any more. Please ask for a new one.', [
        { field: 'token', message: 'This link is not valid any more. Please ask for a new one.' },
      ]),
    );
    openMail('verify');
    await userEvent.click(await screen.findByRole('button', { name: 'Confirm This Address' }));
    expect(await screen.findByText(/not valid any more/)).toBeVisible();
  });

  it('says that a link is not complete', async () => {
    openMail('reset', '');
    expect(await screen.findByRole('heading', { name: 'This Link Is Not Complete' })).toBeVisible();
  });

  it('stops mails after a click', async () => {
    const bodies = onWrite('post', `/api/unsubscribe/${TOKEN}`, ok);
    openMail('unsubscribe');
    expect(
      await screen.findByText(/What is not mailed at once comes in the digest, unless the digest is off/),
    ).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Stop These Mails' }));
    expect(await screen.findByText('These mails have stopped.')).toBeVisible();
    expect(bodies).toHaveLength(1);
    expect(screen.getByRole('link', { name: 'Choose Your Mails' })).toHaveAttribute(
      'href',
      '/account#notifications',
    );
  });
});

describe('a forgotten password', () => {
  it.each([true, false])(
    'is offered at the sign-in only where the site sends mails: %s',
    async (sendsMail) => {
      signedOut();
      onGet('/api/config', { isTestMode: false, withdrawalsPaused: false, sendsMail });
      renderApp(<AuthPage />, '/auth');
      expect(await screen.findByRole('button', { name: 'Sign In' })).toBeVisible();
      if (sendsMail) expect(await screen.findByRole('link', { name: 'Forgot password?' })).toBeVisible();
      else expect(screen.queryByRole('link', { name: 'Forgot password?' })).toBeNull();
    },
  );

  it('asks for a link', async () => {
    const bodies = onWrite('post', '/api/auth/password-reset/request', ok);
    openMail('forgot', '');
    expect(await screen.findByRole('heading', { name: 'Forgot Your Password?' })).toBeVisible();
    await userEvent.click(await screen.findByRole('button', { name: 'Send the Link' }));
    expect(await screen.findByText('Please enter a valid email address')).toBeVisible();
    await userEvent.type(screen.getByLabelText('Email Address'), ' ann@example.com ');
    await userEvent.click(screen.getByRole('button', { name: 'Send the Link' }));
    expect(await screen.findByText(/If an account has this address, a mail is on its way/)).toBeVisible();
    expect(bodies).toEqual([{ email: 'ann@example.com' }]);
  });

  it('is replaced with the link', async () => {
    const bodies = onWrite('post', '/api/auth/password-reset', ok);
    openMail('reset');
    await userEvent.type(await screen.findByLabelText('New Password'), 'another');
    expect(screen.getByText(/revokes your API keys and removes your webhook/)).toBeVisible();
    await userEvent.type(screen.getByLabelText('Confirm New Password'), 'anothe');
    await userEvent.click(screen.getByRole('button', { name: 'Set Password' }));
    expect(await screen.findByText("Passwords don't match")).toBeVisible();
    await userEvent.type(screen.getByLabelText('Confirm New Password'), 'r');
    await userEvent.click(screen.getByRole('button', { name: 'Set Password' }));
    expect(await screen.findByText('Your password is set. Sign in with it.')).toBeVisible();
    expect(bodies).toEqual([{ token: TOKEN, newPassword: 'another' }]);
  });

  it('offers a new link if the old one is dead', async () => {
    onWrite('post', '/api/auth/password-reset', () =>
      problem(422, 'invalid_fields', 'x', [{ field: 'token', message: 'This link is not valid any more.' }]),
    );
    openMail('reset');
    await userEvent.type(await screen.findByLabelText('New Password'), 'another');
    await userEvent.type(screen.getByLabelText('Confirm New Password'), 'another');
    await userEvent.click(screen.getByRole('button', { name: 'Set Password' }));
    expect(await screen.findByRole('link', { name: 'Ask for a New Link' })).toHaveAttribute(
      'href',
      '/mail/forgot',
    );
  });
});

const choices = {
  kinds: {
    accepted: { email: true, push: true, webhook: true },
    messages: { email: false, push: false, webhook: true },
    security: { email: true, push: true, webhook: true },
  },
  digest: 'daily',
  timeZone: 'Pacific/Chatham',
  showsPrivateTitles: false,
  webhookUrl: null,
};

async function openAccount(email: object, sendsMail = true) {
  onGet('/api/auth/user', user);
  onGet('/api/config', { isTestMode: false, withdrawalsPaused: false, sendsMail });
  onGet('/api/notifications/preferences', choices);
  onGet('/api/auth/email', { email: user.email, isVerified: true, requested: null, stopped: null, ...email });
  renderApp(<AccountPage />, '/account');
  await screen.findByRole('heading', { level: 1, name: 'Account Settings' });
}

describe('the account', () => {
  it('offers nothing of mails where the site sends none', async () => {
    await openAccount({}, false);
    await screen.findByRole('region', { name: 'Security Settings' });
    expect(screen.queryByRole('region', { name: 'Email' })).toBeNull();
    expect(screen.queryByRole('region', { name: 'Notifications by Email' })).toBeNull();
  });

  it('asks again for the confirmation of the address', async () => {
    const bodies = onWrite('post', '/api/auth/verify-email/request', ok);
    await openAccount({ isVerified: false });
    expect(await screen.findByText(/Not confirmed yet/)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Send the Confirmation Again' }));
    expect(await screen.findByText('Mail Sent')).toBeVisible();
    expect(bodies).toHaveLength(1);
  });

  it('shows an address that is dead or requested', async () => {
    await openAccount({ stopped: '550 5.1.1 no such user', requested: 'new@example.com' });
    expect(await screen.findByText(/Mails to this address came back/)).toBeVisible();
    expect(screen.getByText(/new@example.com replaces this address/)).toBeVisible();
  });

  it('changes the address with the password', async () => {
    const bodies = onWrite('patch', '/api/auth/email', ok);
    await openAccount({});
    await userEvent.click(await screen.findByRole('button', { name: 'Change Email Address' }));
    await userEvent.click(screen.getByRole('button', { name: 'Change Address' }));
    expect(await screen.findByText('Please enter a valid email address')).toBeVisible();
    await userEvent.type(screen.getByLabelText('New Email Address'), 'new@example.com');
    await userEvent.type(screen.getByLabelText('Your Password'), 'secret');
    await userEvent.click(screen.getByRole('button', { name: 'Change Address' }));
    expect(await screen.findByText('Open the link in the mail to new@example.com.')).toBeVisible();
    expect(bodies).toEqual([{ newEmail: 'new@example.com', password: 'secret' }]);
  });

  it('stores the choices, and security cannot be turned off', async () => {
    const bodies = onWrite('put', '/api/notifications/preferences', () => HttpResponse.json(choices));
    await openAccount({});
    await userEvent.click(await screen.findByLabelText('Somebody takes your bet'));
    await userEvent.click(screen.getByLabelText('Messages on your bets'));
    expect(screen.getByLabelText(/Security of your account/)).toBeDisabled();
    await userEvent.click(screen.getByLabelText('In one mail on Mondays'));
    await userEvent.click(screen.getByRole('switch', { name: /Titles of private bets/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Save Choices' }));
    expect(await screen.findByText('Choices Saved')).toBeVisible();
    expect(bodies).toEqual([
      {
        kinds: {
          accepted: { email: false, push: true, webhook: true },
          messages: { email: true, push: false, webhook: true },
          security: { email: true, push: true, webhook: true },
        },
        digest: 'weekly',
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        showsPrivateTitles: true,
      },
    ]);
  });

  it('shows the time zone in which the digest comes, and that saving changes the zone', async () => {
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    await openAccount({});
    expect(await screen.findByText(/At 08:00, Pacific\/Chatham\./)).toHaveTextContent(
      `Saving changes the time zone to ${here}, which this browser uses.`,
    );
    onWrite('put', '/api/notifications/preferences', () => {
      onGet('/api/notifications/preferences', { ...choices, timeZone: here });
      return HttpResponse.json({});
    });
    await userEvent.click(screen.getByRole('button', { name: 'Save Choices' }));
    expect(await screen.findByText(`At 08:00, ${here}.`)).toBeVisible();
    expect(screen.queryByText(/Saving changes/)).toBeNull();
  });

  it.each([
    ['/api/notifications/preferences', 'Notifications by Email', 'Your choices could not be loaded.'],
    ['/api/auth/email', 'Email', 'Your email address could not be loaded.'],
  ])('says that %s failed, and tries again', async (path, name, failed) => {
    const answers = [
      () => problem(503, 'unavailable', 'Try again.'),
      () => HttpResponse.json({ ...choices, email: user.email, isVerified: true }),
    ];
    onGet('/api/auth/user', user);
    onGet('/api/config', { isTestMode: false, withdrawalsPaused: false, sendsMail: true });
    onGet('/api/notifications/preferences', choices);
    onGet('/api/auth/email', { email: user.email, isVerified: true });
    server.use(http.get(path, () => (answers.shift() ?? ok)()));
    renderApp(<AccountPage />, '/account');
    const card = within(await screen.findByRole('region', { name }));
    expect(card.getByText(failed)).toBeVisible();
    await userEvent.click(card.getByRole('button', { name: 'Try again' }));
    expect(await card.findByRole('button', { name: /Save Choices|Change Email Address/ })).toBeVisible();
    expect(card.queryByText(failed)).toBeNull();
  });
});
