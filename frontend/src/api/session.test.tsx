import { screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { user } from '../test/fixtures';
import { renderApp } from '../test/render';
import { onGet } from '../test/server';
import { useSession } from './session';

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
