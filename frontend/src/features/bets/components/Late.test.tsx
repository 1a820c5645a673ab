import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { makeBet } from '../../../test/fixtures';
import { BelowSlip } from './Late';

it('keeps what the user types below the slip when the bet can no longer be taken', async () => {
  const arbiter = { id: 'u-eve', username: 'eve', email: 'e•••@example.com', status: 'accepted' } as const;
  const below = (actions: 'accept'[]) => (
    <BelowSlip bet={makeBet({ arbiter, actions })}>
      <input aria-label="Message" />
    </BelowSlip>
  );
  const { rerender } = render(below(['accept']));
  const field = await screen.findByLabelText('Message');
  await userEvent.type(field, 'I am');
  rerender(below([]));
  expect(field).toHaveFocus();
  await userEvent.keyboard(' typing');
  expect(screen.getByLabelText('Message')).toHaveValue('I am typing');
});
