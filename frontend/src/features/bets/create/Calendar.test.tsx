import { render, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import Calendar from './Calendar';

afterEach(() => vi.useRealTimers());

/** Renders the calendar at the time `now`. Returns the first selectable day and the number of selectable days. */
function shown(now: string) {
  vi.useFakeTimers({ now: new Date(now), toFake: ['Date'] });
  render(<Calendar selected="" onSelect={() => {}} />);
  const buttons = within(screen.getByRole('grid')).getAllByRole('button');
  const open = buttons.filter((button) => !button.hasAttribute('disabled'));
  return { first: open[0]?.textContent, count: open.length };
}

it('offers no day before today', () => {
  expect(shown('2030-06-20T16:00:00Z')).toEqual({ first: '20', count: 11 });
});

it('takes for today what New York does', () => {
  expect(shown('2030-06-20T03:00:00Z')).toEqual({ first: '19', count: 12 });
});

it('offers no day before 1 Jan 1900, even to a clock that is far behind', () => {
  expect(shown('1899-12-20T17:00:00Z').count).toBe(0);
});
