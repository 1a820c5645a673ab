import { screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { ApiError } from '../api/client';
import { renderApp } from '../test/render';
import { ConfirmButton } from './ConfirmButton';

async function asked(send: () => Promise<unknown>) {
  const { user } = renderApp(
    <ConfirmButton
      label="Delete"
      message="For good?"
      pendingLabel="Deleting..."
      send={send}
      failed="Not deleted"
    />,
  );
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  const dialog = screen.getByRole('dialog', { name: 'Delete' });
  const press = (name: string) => user.click(within(dialog).getByRole('button', { name }));
  return { dialog, press };
}

it('sends nothing before the confirmation, and nothing after a cancel', async () => {
  const send = vi.fn(async () => {});
  const { dialog, press } = await asked(send);
  expect(dialog).toHaveTextContent('For good?');
  await press('Cancel');
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(send).not.toHaveBeenCalled();
});

it('closes the dialog after a success', async () => {
  const send = vi.fn(async () => {});
  const { press } = await asked(send);
  await press('Delete');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(send).toHaveBeenCalledOnce();
});

it('shows why it failed, and keeps the dialog open for another try', async () => {
  const failure = new ApiError(500, 'internal', 'It broke.');
  const { dialog, press } = await asked(() => Promise.reject(failure));
  await press('Delete');
  expect(await screen.findByText('Not deleted')).toBeVisible();
  expect(screen.getByText('It broke.')).toBeVisible();
  expect(dialog).toBeVisible();
});
