import { act, screen } from '@testing-library/react';
import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { mutate } from 'swr';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keys } from './api/keys';
import { App } from './app/App';
import { firstPages } from './app/first-pages';
import { chooseTheme } from './lib/theme';
import { render } from './prerender';
import { authTexts } from './texts/auth';
import { landingTexts } from './texts/landing';

const rendered = Object.values(firstPages.visitor).filter((page) => page.renderedAt !== undefined);

let root: ReturnType<typeof hydrateRoot> | undefined;
const place = document.createElement('div');
const complaints: unknown[][] = [];

beforeEach(() => {
  document.documentElement.dataset.visitor = '';
  document.body.append(place);
  vi.spyOn(console, 'error').mockImplementation((...words) => void complaints.push(words));
});
afterEach(() => {
  act(() => root?.unmount());
  place.remove();
  complaints.length = 0;
  delete document.documentElement.dataset.visitor;
  window.history.replaceState(null, '', '/');
  vi.restoreAllMocks();
});

/** Hydrates a page that the build has rendered, as `main.tsx` does. */
async function hydrate(address: string) {
  window.history.replaceState(null, '', address);
  await act(async () => {
    root = hydrateRoot(
      place,
      <StrictMode>
        <BrowserRouter>
          <App />
        </BrowserRouter>
      </StrictMode>,
      { onRecoverableError: (error) => void complaints.push([error]) },
    );
  });
}

it.each(
  rendered.flatMap(({ renderedAt = '', page }) => [
    [renderedAt, page] as const,
    [`${renderedAt}?next=%2Fbet%2F1`, page] as const,
  ]),
)('the rendered page of %s is taken over as it is', async (address, page) => {
  const [path = ''] = address.split('?');
  place.innerHTML = await render({ page }, path);
  const heading = screen.getByRole('heading', { level: 1 });
  // The build does not know the theme and the settings. The visitor's browser does.
  chooseTheme('dark');
  await mutate(keys.config, { isTestMode: true, withdrawalsPaused: false }, { revalidate: false });
  await hydrate(address);
  expect(complaints).toEqual([]);
  expect(screen.getByRole('heading', { level: 1 })).toBe(heading);
  expect(screen.getByRole('button', { name: 'Switch to the light theme' })).toBeVisible();
});

it('the landing page and the sign-in show their texts without a script', async () => {
  place.innerHTML = await render({ page: 'landing' }, '/');
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(landingTexts.hero);
  for (const step of landingTexts.steps) expect(screen.getByText(step.text)).toBeInTheDocument();
  place.innerHTML = await render({ page: 'auth' }, '/auth');
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(authTexts.signInTitle);
  expect(screen.getByLabelText(authTexts.password)).toBeInTheDocument();
  // The rendered pages contain no script and no inline style. So the security policy needs no exception for them.
  expect(place.querySelector('script, style, [style]')).toBeNull();
});

it('a form keeps what was typed before the script came', async () => {
  place.innerHTML = await render({ page: 'auth' }, '/auth');
  const email = screen.getByLabelText<HTMLInputElement>(authTexts.email);
  email.value = 'ada@example.com';
  screen.getByLabelText<HTMLInputElement>(authTexts.password).value = 'a long password';
  await hydrate('/auth');
  expect(screen.getByLabelText(authTexts.email)).toBe(email);
  // After a switch from sign-in to registration, the form still contains the e-mail address.
  act(() => screen.getByRole('button', { name: authTexts.toCreate.link }).click());
  expect(screen.getByLabelText(authTexts.email)).toHaveValue('ada@example.com');
  expect(complaints).toEqual([]);
});

it('the rendered form keeps what was typed when it becomes the form of a new account', async () => {
  place.innerHTML = await render({ page: 'auth' }, '/auth');
  screen.getByLabelText<HTMLInputElement>(authTexts.email).value = 'ada@example.com';
  screen.getByLabelText<HTMLInputElement>(authTexts.password).value = 'a long password';
  await hydrate('/auth?new');
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(authTexts.createTitle);
  expect(screen.getByLabelText(authTexts.email)).toHaveValue('ada@example.com');
  expect(screen.getByLabelText(authTexts.password)).toHaveValue('a long password');
  expect(screen.getByLabelText(authTexts.confirm)).toHaveValue('');
});
