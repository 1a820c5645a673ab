import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { Dialog } from './Dialog';

function opened() {
  const onClose = vi.fn();
  render(
    <Dialog open title="Sure?" onClose={onClose}>
      <textarea aria-label="Reason" />
    </Dialog>,
  );
  return { onClose, user: userEvent.setup(), dialog: screen.getByRole('dialog') };
}

it('closes by a press on its backdrop', async () => {
  const { onClose, user, dialog } = opened();
  await user.click(dialog);
  expect(onClose).toHaveBeenCalledOnce();
});

it('stays when a press that began inside ends on the backdrop', async () => {
  const { onClose, user, dialog } = opened();
  await user.pointer([
    { keys: '[MouseLeft>]', target: screen.getByLabelText('Reason') },
    { keys: '[/MouseLeft]', target: dialog },
  ]);
  expect(onClose).not.toHaveBeenCalled();
});
