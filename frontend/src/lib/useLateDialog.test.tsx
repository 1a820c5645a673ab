import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { commonTexts } from '../texts/common';
import { currentToast } from '../ui/toast-store';
import { useLateDialog } from './useLateDialog';

const came = { isReady: () => true, prepare: async () => true };

test('is mounted once it was asked for and its code came, and stays when it closes', async () => {
  const { result } = renderHook(() => useLateDialog<string>(came));
  expect(result.current.shown).toBeNull();
  await act(() => result.current.open('deposit'));
  expect(result.current.shown).toEqual({ about: 'deposit', open: true });
  act(() => result.current.close('deposit'));
  expect(result.current.shown).toEqual({ about: 'deposit', open: false });
});

test('what ends late does not close what came after it', async () => {
  const { result } = renderHook(() => useLateDialog<string>(came));
  await act(() => result.current.open('deposit'));
  await act(() => result.current.open('withdraw'));
  act(() => result.current.close('deposit'));
  expect(result.current.shown).toEqual({ about: 'withdraw', open: true });
});

test('says so where the code does not come, and opens when it is asked for again and it does', async () => {
  let there = false;
  const late = { isReady: () => false, prepare: async () => there };
  const { result } = renderHook(() => useLateDialog<string>(late));
  await act(() => result.current.open('deposit'));
  expect(result.current.shown).toBeNull();
  expect(currentToast()).toMatchObject({
    title: commonTexts.notOpenedTitle,
    description: commonTexts.notOpened,
  });
  there = true;
  await act(() => result.current.open('deposit'));
  expect(result.current.shown).toEqual({ about: 'deposit', open: true });
});

test('says what is awaited while the code is on its way', async () => {
  let arrive: (came: boolean) => void = () => undefined;
  const late = { isReady: () => false, prepare: () => new Promise<boolean>((resolve) => (arrive = resolve)) };
  const { result } = renderHook(() => useLateDialog<string>(late));
  act(() => void result.current.open('deposit'));
  expect(result.current).toMatchObject({ awaited: 'deposit', shown: null });
  await act(async () => arrive(true));
  expect(result.current).toMatchObject({ awaited: null, shown: { about: 'deposit', open: true } });
});
