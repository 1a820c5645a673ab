import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Obstacle } from '../../api/types';
import AccountPage from '../../pages/AccountPage';
import { LATE } from '../../test/account';
import { user as me } from '../../test/fixtures';
import { renderApp } from '../../test/render';
import { onGet, onWrite, problem, server } from '../../test/server';

const toast = () => screen.getAllByRole('status').at(-1);
const named = { ...me, username: 'ada_l', email: 'ada@example.com' };

beforeEach(() => {
  onGet('/api/auth/user', named);
  onGet('/api/withdrawals', []);
  onGet('/api/wallet/history', []);
});

async function opened() {
  const view = renderApp(<AccountPage />, '/account');
  await screen.findByRole('region', { name: 'Download your data' }, LATE);
  return view;
}

describe('the export', () => {
  const saved: { name: string; text: Promise<string> }[] = [];
  let file = new Blob();

  beforeEach(() => {
    saved.length = 0;
    URL.createObjectURL = (given) => {
      file = given as Blob;
      return 'blob:export';
    };
    URL.revokeObjectURL = () => undefined;
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      expect(this.href).toBe('blob:export');
      saved.push({ name: this.download, text: file.text() });
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  function answers(text: string) {
    server.use(
      http.get('/api/account/export', () =>
        HttpResponse.text(text, {
          headers: { 'Content-Disposition': 'attachment; filename="bolts-2026-11-26.json"' },
        }),
      ),
    );
  }

  async function downloaded() {
    const { user } = await opened();
    await user.click(screen.getByRole('button', { name: 'Download' }));
  }

  it('is saved under the name that the server gives', async () => {
    answers('{"format":"bolts-account-export-1",\n"complete":true}\n');
    await downloaded();
    await waitFor(() => expect(toast()).toHaveTextContent('Data Downloaded'));
    expect(saved.map(({ name }) => name)).toEqual(['bolts-2026-11-26.json']);
    expect(JSON.parse((await saved[0]?.text) ?? '')).toMatchObject({ complete: true });
  });

  it('is not saved if its end is missing', async () => {
    answers('{"format":"bolts-account-export-1",\n"bets":[');
    await downloaded();
    await waitFor(() =>
      expect(toast()).toHaveTextContent('Not DownloadedThe connection broke before the file was complete.'),
    );
    expect(saved).toEqual([]);
  });

  it('shows why the server refuses', async () => {
    server.use(http.get('/api/account/export', () => problem(429, 'too_many_requests', 'Please wait.')));
    await downloaded();
    await waitFor(() => expect(toast()).toHaveTextContent('Not DownloadedPlease wait.'));
    expect(saved).toEqual([]);
  });
});

describe('a deletion', () => {
  const dialog = () => screen.getByRole('dialog', { name: 'Delete account' });
  const sheet = () => within(dialog());

  async function asked(obstacles: Obstacle[] = []) {
    onGet('/api/account/deletion', { obstacles });
    const view = await opened();
    await view.user.click(screen.getByRole('button', { name: 'Delete account' }));
    return view;
  }

  it('names the obstacles, with links to what the user can do', async () => {
    await asked([
      { kind: 'open_bets', count: 2, text: '2 open bets' },
      { kind: 'sats', count: 1500, text: '1,500 sats on your balance' },
      { kind: 'cooldown', count: 3, text: 'a rest of 3 more hours' },
    ]);
    const rows = await sheet().findAllByRole('listitem');
    expect(rows.map((row) => row.textContent)).toEqual([
      '2 open bets See your bets',
      '1,500 sats on your balance Withdraw your sats',
      'a rest of 3 more hours ',
    ]);
    expect(sheet().getByRole('link', { name: 'See your bets' })).toHaveAttribute('href', '/portfolio');
    expect(sheet().getByRole('link', { name: 'Withdraw your sats' })).toHaveAttribute(
      'href',
      '/account#wallet',
    );
    expect(sheet().queryByRole('button', { name: 'Delete my account' })).toBeNull();
  });

  it('leads from an obstacle to the section of the page each time', async () => {
    const { user } = await asked([{ kind: 'withdrawals', count: 1, text: '1 withdrawal on its way' }]);
    for (const _ of [1, 2]) {
      await user.click(await sheet().findByRole('link', { name: 'See your withdrawals' }));
      await waitFor(() => expect(document.querySelector('#wallet')).toHaveFocus());
      expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
      await user.click(screen.getByRole('button', { name: 'Delete account' }));
    }
  });

  it('needs the own name and the password, and ends on a page that says so', async () => {
    let isFirst = true;
    const sent = onWrite('delete', '/api/account', () => {
      if (isFirst) {
        isFirst = false;
        const wrong = [{ field: 'password', message: 'The password is incorrect' }];
        return problem(422, 'invalid_fields', 'The password is incorrect', wrong);
      }
      server.use(http.get('/api/auth/user', () => problem(401, 'not_signed_in', 'Please sign in first.')));
      return HttpResponse.json({ ok: true });
    });
    const { user } = await asked();
    const remove = await sheet().findByRole('button', { name: 'Delete my account' });
    await user.click(remove);
    expect(await sheet().findByText('Please type ada_l')).toBeVisible();
    expect(sheet().getByText('Your password is required')).toBeVisible();
    expect(sent).toEqual([]);
    await user.type(sheet().getByLabelText('Type ada_l to confirm'), 'ada_l');
    await user.type(sheet().getByLabelText('Password'), 'wrong');
    await user.click(remove);
    expect(await sheet().findByText('The password is incorrect')).toBeVisible();
    await user.clear(sheet().getByLabelText('Password'));
    await user.type(sheet().getByLabelText('Password'), 'secret');
    await user.click(remove);
    expect(await screen.findByRole('heading', { name: 'Your account is deleted' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'To the start page' })).toHaveAttribute('href', '/');
    expect(sent).toEqual([{ password: 'wrong' }, { password: 'secret' }]);
  });

  it('that a new obstacle stops says so and shows it', async () => {
    const { user } = await asked();
    await user.type(await sheet().findByLabelText('Type ada_l to confirm'), 'ada_l');
    await user.type(sheet().getByLabelText('Password'), 'secret');
    onWrite('delete', '/api/account', () => problem(409, 'account_in_use', 'It still has 1 open bet.'));
    onGet('/api/account/deletion', { obstacles: [{ kind: 'open_bets', count: 1, text: '1 open bet' }] });
    await user.click(sheet().getByRole('button', { name: 'Delete my account' }));
    expect(await screen.findByText('It still has 1 open bet.')).toBeVisible();
    expect(await sheet().findByText('1 open bet')).toBeVisible();
  });
});
