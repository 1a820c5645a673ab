import { render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, it, vi } from 'vitest';
import { ErrorBoundary } from './ErrorBoundary';

function MissingCode(): ReactNode {
  throw Object.assign(new Error('Loading chunk 7 failed.'), { name: 'ChunkLoadError' });
}

const reloaded = () => sessionStorage.getItem('bolts.reloaded-for-chunk') !== null;

function shown(boundary: ReactNode) {
  render(<MemoryRouter>{boundary}</MemoryRouter>);
}

// React and jsdom tell of the error and of the reload, which jsdom cannot do.
const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
beforeEach(() => logged.mockClear());

it('loads the page again where its own code is missing', () => {
  shown(
    <ErrorBoundary>
      <MissingCode />
    </ErrorBoundary>,
  );
  expect(screen.getByRole('heading', { name: 'This page stopped working' })).toBeVisible();
  expect(reloaded()).toBe(true);
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
