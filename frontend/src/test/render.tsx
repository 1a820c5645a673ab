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

/** Renders inside a router and an own empty cache, and shows toasts and the current address. */
export function renderApp(content: ReactNode, path = '/') {
  // SWR drops a cache with the component that created it. An answer after the end of the test would then throw.
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
