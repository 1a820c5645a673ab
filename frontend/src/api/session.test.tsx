import { screen } from '@testing-library/react';
import { http } from 'msw';
import { afterEach, expect, it } from 'vitest';
import { user } from '../test/fixtures';
import { renderApp } from '../test/render';
import { onGet, problem, server } from '../test/server';
import { useSession } from './session';

function Probe() {
  const { user: current, loading } = useSession();
  return <p>{loading ? 'asking' : (current?.email ?? 'nobody')}</p>;
}

afterEach(() => delete document.documentElement.dataset.visitor);

it('asks who is signed in', async () => {
  onGet('/api/auth/user', user);
  renderApp(<Probe />);
  expect(screen.getByText('asking')).toBeVisible();
  expect(await screen.findByText(user.email)).toBeVisible();
});

it('asks nobody where the server has marked the page as a visitor’s', () => {
  document.documentElement.dataset.visitor = '';
  renderApp(<Probe />);
  expect(screen.getByText('nobody')).toBeVisible();
});

it('tells a failure', async () => {
  server.use(http.get('/api/auth/user', () => problem(503, 'unavailable', 'Try again later.')));
  renderApp(<Probe />);
  expect(await screen.findByText('nobody')).toBeVisible();
});
