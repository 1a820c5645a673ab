import { act, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Dialog } from './Dialog';
import { Toaster } from './Toast';
import { dismissToast, toast } from './toast-store';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  act(dismissToast);
  vi.useRealTimers();
});

it('shows one toast at a time, for five seconds from the last', () => {
  render(<Toaster />);
  act(() => toast('First', 'of two'));
  act(() => vi.advanceTimersByTime(3000));
  act(() => toast('Second'));
  expect(screen.queryByText('First')).not.toBeInTheDocument();
  act(() => vi.advanceTimersByTime(4999));
  expect(screen.getByText('Second')).toBeVisible();
  act(() => vi.advanceTimersByTime(1));
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});

it('is gone as soon as it is dismissed', () => {
  render(<Toaster />);
  act(() => toast('Done', undefined, 'success'));
  act(() => screen.getByRole('button', { name: 'Dismiss message' }).click());
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});

it('tells inside an open dialog, which covers everything else, and outside once it is closed', () => {
  const page = (open: boolean) => (
    <>
      <Dialog open={open} title="Sure?" onClose={() => undefined}>
        <p>Really?</p>
      </Dialog>
      <div data-testid="page">
        <Toaster />
      </div>
    </>
  );
  const { rerender } = render(page(true));
  const dialog = screen.getByRole('dialog');
  act(() => vi.advanceTimersByTime(100));
  const [onPage, inDialog] = [screen.getByTestId('page'), dialog].map((place) =>
    within(place).getByRole('status'),
  );
  act(() => toast('Refused'));
  expect(inDialog).toHaveTextContent('Refused');
  expect(onPage).toBeEmptyDOMElement();
  expect(within(dialog).getByRole('status')).toHaveTextContent('Refused');
  rerender(page(false));
  // The live region of the page is still the same element. It gets the toast only when the page is no longer inert.
  expect(screen.getByRole('status')).toBe(onPage);
  expect(onPage).toBeEmptyDOMElement();
  act(() => vi.advanceTimersByTime(100));
  expect(screen.getByRole('status')).toHaveTextContent('Refused');
  expect(dialog).not.toContainElement(screen.getByRole('status'));
});
