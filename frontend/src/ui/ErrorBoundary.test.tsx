import { render, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import type { ReactNode } from 'react';
import { Suspense } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, it, vi } from 'vitest';
import { prepared } from '../lib/prepared';
import { server } from '../test/server';
import { ErrorBoundary } from './ErrorBoundary';

function missing() {
  return Object.assign(new Error('Loading chunk 7 failed.'), { name: 'ChunkLoadError' });
}

function MissingCode(): ReactNode {
  throw missing();
}

const reloaded = () => sessionStorage.getItem('bolts.reloaded-for-chunk') !== null;

function shown(boundary: ReactNode) {
  render(<MemoryRouter>{boundary}</MemoryRouter>);
}

// Silences the log: React logs the error, and jsdom logs that it cannot reload a page.
const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
const online = vi.spyOn(navigator, 'onLine', 'get');
beforeEach(() => {
  logged.mockClear();
  online.mockReturnValue(true);
});

it('loads the page again where its own code is missing', async () => {
  server.use(http.get('/healthz', () => new HttpResponse('ok')));
  shown(
    <ErrorBoundary>
      <MissingCode />
    </ErrorBoundary>,
  );
  await waitFor(() => expect(reloaded()).toBe(true));
});

it.each([
  [59_000, false],
  [61_000, true],
])('loads the page again after another upgrade: %d ms after the last reload, %s', async (age, again) => {
  vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
  const before = String(1_000_000 - age);
  sessionStorage.setItem('bolts.reloaded-for-chunk', before);
  const healthz = vi.fn(() => new HttpResponse('ok'));
  server.use(http.get('/healthz', healthz));
  shown(
    <ErrorBoundary>
      <MissingCode />
    </ErrorBoundary>,
  );
  const last = () => sessionStorage.getItem('bolts.reloaded-for-chunk');
  if (again) await waitFor(() => expect(last()).toBe('1000000'));
  expect(healthz).toHaveBeenCalledTimes(again ? 1 : 0);
  expect(last()).toBe(again ? '1000000' : before);
  vi.mocked(Date.now).mockRestore();
});

it('stays where the server cannot be reached', async () => {
  let asked = false;
  server.use(
    http.get('/healthz', () => {
      asked = true;
      return HttpResponse.error();
    }),
  );
  shown(
    <ErrorBoundary>
      <MissingCode />
    </ErrorBoundary>,
  );
  expect(screen.getByRole('heading', { name: 'This page could not be loaded' })).toBeVisible();
  await waitFor(() => expect(asked).toBe(true));
  expect(reloaded()).toBe(false);
});

/** A page whose code loads only if `network.works`. */
function latePage() {
  const network = { works: false };
  const page = prepared(async () => {
    if (!network.works) throw missing();
    return { default: () => <h1>The page</h1> };
  });
  shown(
    <ErrorBoundary>
      <Suspense fallback={null}>
        <page.Part />
      </Suspense>
    </ErrorBoundary>,
  );
  return network;
}

it('says that one is offline, and asks for the code again by hand', async () => {
  online.mockReturnValue(false);
  const network = latePage();
  expect(await screen.findByRole('heading', { name: 'You are offline' })).toBeVisible();
  expect(screen.queryByText('This page stopped working')).not.toBeInTheDocument();
  network.works = true;
  screen.getByRole('button', { name: 'Try again' }).click();
  expect(await screen.findByRole('heading', { name: 'The page' })).toBeVisible();
  expect(reloaded()).toBe(false);
});

it('asks for the code again when the network is back', async () => {
  online.mockReturnValue(false);
  const network = latePage();
  expect(await screen.findByRole('heading', { name: 'You are offline' })).toBeVisible();
  network.works = true;
  online.mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  expect(await screen.findByRole('heading', { name: 'The page' })).toBeVisible();
});

it.each([
  ['has an error', () => new Error('x'), 'Your stakes are safe. Load the page again.'],
  ['is missing', missing, 'The server could not be reached. Check your connection and try again.'],
])('shows a needed part that %s as a small message without a heading', (_, error, words) => {
  sessionStorage.setItem('bolts.reloaded-for-chunk', String(Date.now()));
  const Broken = (): ReactNode => {
    throw error();
  };
  shown(
    <ErrorBoundary small>
      <Broken />
    </ErrorBoundary>,
  );
  expect(screen.getByText(words)).toBeVisible();
  expect(screen.getByRole('button')).toBeVisible();
  expect(screen.queryByRole('heading')).not.toBeInTheDocument();
});

it('leaves the page as it is where it can do without, and logs it', () => {
  shown(
    <ErrorBoundary fallback={<p>No code to scan</p>}>
      <MissingCode />
    </ErrorBoundary>,
  );
  expect(screen.getByText('No code to scan')).toBeVisible();
  expect(reloaded()).toBe(false);
  expect(logged).toHaveBeenCalled();
});
