import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { SWRConfig } from 'swr';
import { initCache } from 'swr/_internal';
import { Toaster } from '../ui/Toast';

function Address() {
  const { pathname, search } = useLocation();
  return <div data-testid="address">{pathname + search}</div>;
}

/** Renders inside a router and an empty cache of its own, with toasts and the current address shown. */
export function renderApp(content: ReactNode, path = '/') {
  // SWR forgets a cache with the component that made it, and an answer that comes after a test has ended then throws.
  const cache = new Map();
  initCache(cache);
  const view = render(
    <SWRConfig
      value={{
        provider: () => cache,
        dedupingInterval: 0,
        shouldRetryOnError: false,
        revalidateOnFocus: false,
      }}
    >
      <MemoryRouter initialEntries={[path]}>
        {content}
        <Toaster />
        <Address />
      </MemoryRouter>
    </SWRConfig>,
  );
  return { ...view, user: userEvent.setup() };
}
