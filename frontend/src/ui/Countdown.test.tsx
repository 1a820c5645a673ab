import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Countdown } from './Countdown';

const END = '2030-01-01T12:02:01Z';

beforeEach(() => vi.useFakeTimers({ now: new Date('2030-01-01T12:00:00Z') }));
afterEach(() => vi.useRealTimers());

const pass = (seconds: number) => act(() => vi.advanceTimersByTime(seconds * 1000));
const words = (left: string) => (left ? `${left} left` : 'Over');

it('counts down while it is on screen, and says when the time is up', () => {
  render(<Countdown at={END} words={words} />);
  expect(screen.getByText('2 min left')).toHaveAttribute('dateTime', END);
  pass(2);
  expect(screen.getByText('119 s left')).toBeVisible();
  pass(118);
  expect(screen.getByText('1 s left')).toBeVisible();
  pass(1);
  expect(screen.getByText('Over')).toBeVisible();
});

it('needs one timer for all countdowns of a page, and none without a countdown', () => {
  const view = render(
    <>
      <Countdown at={END} />
      <Countdown at={END} words={words} />
    </>,
  );
  expect(vi.getTimerCount()).toBe(1);
  expect(screen.getByText('in 2 min')).toBeVisible();
  pass(62);
  expect(screen.getByText('in 59 s')).toBeVisible();
  expect(screen.getByText('59 s left')).toBeVisible();
  view.unmount();
  expect(vi.getTimerCount()).toBe(0);
});
