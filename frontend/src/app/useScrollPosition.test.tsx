import { act, render, screen, waitFor } from '@testing-library/react';
import { BrowserRouter, Link, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useScrollPosition } from './useScrollPosition';

function Page() {
  useScrollPosition();
  const { pathname, search } = useLocation();
  return (
    <>
      <h1>{pathname + search}</h1>
      <Link to="/list">list</Link>
      <Link to="/list?q=snow">filter</Link>
      <Link to="/bet">bet</Link>
    </>
  );
}

/** Scrolls as the user or the browser does. */
function scroll(top: number) {
  vi.stubGlobal('scrollY', top);
  window.dispatchEvent(new Event('scroll'));
}

async function go(name: string, title: string) {
  act(() => screen.getByRole('link', { name }).click());
  await screen.findByRole('heading', { name: title });
}

/** Goes back or forward. Before the page changes, the browser scrolls as far as the page allows. */
async function travel(steps: 1 | -1, title: string) {
  window.addEventListener('popstate', () => scroll(7), { once: true, capture: true });
  history.go(steps);
  await screen.findByRole('heading', { name: title });
}

beforeEach(() => {
  history.replaceState(null, '', '/list');
  vi.stubGlobal('scrollY', 0);
  vi.spyOn(window, 'scrollTo').mockImplementation(((_: number, top: number) => scroll(top)) as never);
  render(
    <BrowserRouter>
      <Page />
    </BrowserRouter>,
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('starts a new page at its top, and returns to where the user left a page', async () => {
  expect(window.scrollTo).not.toHaveBeenCalled();
  scroll(500);
  await go('bet', '/bet');
  expect(window.scrollY).toBe(0);
  scroll(90);
  await travel(-1, '/list');
  await waitFor(() => expect(window.scrollY).toBe(500));
  await travel(1, '/bet');
  await waitFor(() => expect(window.scrollY).toBe(90));
});

it('stays in place when only the search of the address changes', async () => {
  scroll(300);
  await go('filter', '/list?q=snow');
  expect(window.scrollY).toBe(300);
  await go('bet', '/bet');
  await travel(-1, '/list?q=snow');
  await waitFor(() => expect(window.scrollY).toBe(300));
});
