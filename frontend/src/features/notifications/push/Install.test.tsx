import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { keepInstallPrompt } from '../../../lib/install';
import { user as me } from '../../../test/fixtures';
import { renderApp } from '../../../test/render';
import DeviceCard from './DeviceCard';

const button = () => screen.queryByRole('button', { name: 'Install the App' });

beforeEach(() => {
  window.boltsInstall = undefined;
  keepInstallPrompt();
});

/** The browser offers the installation. Returns whether it would show an offer of its own, and its question. */
function offer() {
  const prompt = vi.fn(async () => ({ outcome: 'accepted' }));
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt });
  act(() => void window.dispatchEvent(event));
  return { showsItself: !event.defaultPrevented, prompt };
}

it('is offered quietly, and asks the browser once', async () => {
  const { showsItself, prompt } = offer();
  expect(showsItself).toBe(false);
  const { user } = renderApp(<DeviceCard user={me} />);
  expect(prompt).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Install the App' }));
  expect(prompt).toHaveBeenCalledTimes(1);
  await waitFor(() => expect(button()).toBeNull());
});

it('appears when the offer comes later, and goes when the app is installed otherwise', async () => {
  renderApp(<DeviceCard user={me} />);
  expect(button()).toBeNull();
  offer();
  expect(button()).toBeVisible();
  act(() => void window.dispatchEvent(new Event('appinstalled')));
  expect(button()).toBeNull();
});
