import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { holdClock } from '../../test/clock';
import { FilterBar } from './components/FilterBar';
import { DEFAULT_FILTERS } from './filters';

afterEach(() => vi.useRealTimers());

it('keeps what is typed while the address is on its way, and follows the address otherwise', async () => {
  const onChange = vi.fn();
  const bar = (q: string) => <FilterBar filters={{ ...DEFAULT_FILTERS, q }} onChange={onChange} />;
  const { rerender } = render(bar(''));
  const user = userEvent.setup();
  const field = screen.getByLabelText('Search bets');
  await user.type(field, 'sno');
  await waitFor(() => expect(onChange).toHaveBeenLastCalledWith({ q: 'sno' }));
  await user.type(field, 'w');
  rerender(bar('sno'));
  expect(field).toHaveValue('snow');
  await waitFor(() => expect(onChange).toHaveBeenLastCalledWith({ q: 'snow' }));
  rerender(bar('snow'));
  expect(field).toHaveValue('snow');
  rerender(bar(''));
  expect(field).toHaveValue('');
  rerender(bar('sno'));
  expect(field).toHaveValue('sno');
});

it.each([
  ['the field is left', 1, () => screen.getByLabelText('Search bets').blur()],
  ['one goes back', 0, () => window.dispatchEvent(new Event('popstate'))],
])(
  'has no search wait once %s, for the address may be another page’s by then',
  async (_, searches, leave) => {
    holdClock();
    const onChange = vi.fn();
    render(<FilterBar filters={DEFAULT_FILTERS} onChange={onChange} />);
    await userEvent.setup({ delay: null }).type(screen.getByLabelText('Search bets'), 'snow');
    act(leave);
    await vi.advanceTimersByTimeAsync(1_000);
    await waitFor(() => expect(onChange).toHaveBeenCalledTimes(searches));
  },
);
