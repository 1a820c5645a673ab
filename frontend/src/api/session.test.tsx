import { render, screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, it } from 'vitest';
import { user } from '../test/fixtures';
import { renderApp } from '../test/render';
import { onGet, problem, server } from '../test/server';
import { prepareSession, useSession } from './session';

function Probe() {
  const { user: current, loading } = useSession();
  return <p>{loading ? 'asking' : (current?.email ?? 'nobody')}</p>;
}

afterEach(() => document.head.replaceChildren());

it('asks who is signed in', async () => {
  onGet('/api/auth/user', user);
  renderApp(<Probe />);
  expect(screen.getByText('asking')).toBeVisible();
  expect(await screen.findByText(user.email)).toBeVisible();
});

it('asks nobody where the server has marked the page as a visitor’s', () => {
  document.head.innerHTML = '<meta name="session" content="none">';
  renderApp(<Probe />);
  expect(screen.getByText('nobody')).toBeVisible();
});

it('is known at the first rendering where it was asked for ahead, and is not asked for twice', async () => {
  let asked = 0;
  server.use(
    http.get('/api/auth/user', () => {
      asked += 1;
      return HttpResponse.json(user);
    }),
  );
  await prepareSession();
  render(<Probe />);
  expect(screen.getByText(user.email)).toBeVisible();
  // A second request would have started with the effects of that rendering.
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(asked).toBe(1);
});

it('tells a failure of what was asked for ahead', async () => {
  server.use(http.get('/api/auth/user', () => problem(503, 'unavailable', 'Try again later.')));
  await prepareSession();
  renderApp(<Probe />);
  expect(await screen.findByText('nobody')).toBeVisible();
});
