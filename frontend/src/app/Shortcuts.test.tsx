import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { turnShortcuts } from '../lib/shortcuts';
import { renderApp } from '../test/render';
import { Shortcuts } from './Shortcuts';

beforeEach(() => turnShortcuts(true));

const page = (
  <main>
    <input aria-label="Other field" />
    <Shortcuts />
  </main>
);
const address = () => screen.getByTestId('address');

it('/ opens the marketplace with the focus in its search, c a new bet', async () => {
  const { user } = renderApp(page, '/account');
  await user.keyboard('/');
  await waitFor(() => expect(address()).toHaveTextContent('/marketplace'));
  await user.keyboard('c');
  await waitFor(() => expect(address()).toHaveTextContent('/create-bet'));
});

it('no key is taken from a field, from a dialog or from the browser', async () => {
  const { user } = renderApp(page, '/account');
  await user.type(screen.getByLabelText('Other field'), 'c/?');
  expect(screen.getByLabelText('Other field')).toHaveValue('c/?');
  (document.activeElement as HTMLElement).blur();
  await user.keyboard('{Control>}c{/Control}{Meta>}c{/Meta}');
  await user.keyboard('?');
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await user.keyboard('c');
  expect(address()).toHaveTextContent('/account');
});

it('the list of keys turns them off', async () => {
  const { user } = renderApp(page, '/account');
  await user.keyboard('?');
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getAllByRole('term').map((key) => key.textContent)).toEqual(['/', 'c', '?']);
  await user.click(dialog.getByRole('switch', { name: /^Use shortcuts/ }));
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  (document.activeElement as HTMLElement).blur();
  await user.keyboard('c?');
  expect(address()).toHaveTextContent('/account');
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});
