import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { mutate } from 'swr';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { dismissToast } from '../ui/toast-store';
import { delayAnswers } from './late-answers';
import { server } from './server';

// The maximum time that a test waits for a change. It is long because a busy machine is slow. Only a failing test waits
// this long.
configure({ asyncUtilTimeout: 30_000 });

// jsdom has no modal dialogs and no popovers. The tests only need to open and close them.
HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
  this.open = true;
};
HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
  this.open = false;
};
HTMLElement.prototype.hidePopover ??= () => {};
window.scrollTo = () => {};
window.matchMedia ??= (query) =>
  ({
    matches: false,
    media: query,
    addEventListener() {},
    removeEventListener() {},
  }) as unknown as MediaQueryList;

beforeAll(() => {
  server.listen({ onUnhandledRequest: 'error' });
  delayAnswers();
});
afterEach(() => {
  cleanup();
  server.resetHandlers();
  sessionStorage.clear();
  dismissToast();
});
afterAll(async () => {
  server.close();
  await renewPage();
});

/** Removes what the tests of this file leave behind, because the next file runs in the same page. */
async function renewPage() {
  await mutate(() => true, undefined, { revalidate: false });
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.resetModules();
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', '/');
  for (const { name } of [...document.documentElement.attributes])
    document.documentElement.removeAttribute(name);
  document.head.replaceChildren();
  document.body.replaceChildren();
}
