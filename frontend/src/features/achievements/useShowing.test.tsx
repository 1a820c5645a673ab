import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useShowing } from './useShowing';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function pass(milliseconds: number) {
  act(() => {
    vi.advanceTimersByTime(milliseconds);
  });
}

it('leaves after five seconds, and ends when it has left', () => {
  const end = vi.fn();
  const { result } = renderHook(() => useShowing('first_bet', end));
  pass(4_999);
  expect(result.current.leaving).toBe(false);
  pass(1);
  expect(result.current.leaving).toBe(true);
  expect(end).not.toHaveBeenCalled();
  pass(300);
  expect(end).toHaveBeenCalledOnce();
});

it('has all its time after it was hidden', () => {
  const { result } = renderHook(() => useShowing('first_bet', () => {}));
  act(() => result.current.hide(true));
  pass(60_000);
  expect(result.current.leaving).toBe(false);
  act(() => result.current.hide(false));
  pass(4_999);
  expect(result.current.leaving).toBe(false);
  pass(1);
  expect(result.current.leaving).toBe(true);
});
