import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { BrowserRouter, useLocation } from 'react-router-dom';
import { SWRConfig } from 'swr';
import { initCache } from 'swr/_internal';
import { Toaster } from '../ui/Toast';

function Address() {
  const { pathname, search } = useLocation();
  return <div data-testid="address">{pathname + search}</div>;
}

/** Renders `content` inside a router and with a new empty cache. Shows toasts and the current address too. */
export function renderApp(content: ReactNode, path = '/') {
  // The cache is created outside of the component. Otherwise SWR would drop the cache when the component is removed,
  // and an answer after the end of the test would throw.
  const cache = new Map();
  initCache(cache);
  history.replaceState(null, '', path);
  const view = render(
    <SWRConfig
      value={{
        provider: () => cache,
        dedupingInterval: 0,
        shouldRetryOnError: false,
        revalidateOnFocus: false,
      }}
    >
      <BrowserRouter>
        {content}
        <Toaster />
        <Address />
      </BrowserRouter>
    </SWRConfig>,
  );
  return { ...view, user: userEvent.setup() };
}
