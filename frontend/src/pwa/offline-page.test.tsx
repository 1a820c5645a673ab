import { waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it, vi } from 'vitest';
import { holdClock, passTimeUntil } from '../test/clock';
import { server } from '../test/server';
import { startOfflinePage } from './offline-page';

const part = (id: string) => document.getElementById(id) as HTMLElement;

beforeEach(() => {
  document.body.innerHTML =
    '<h1 id="title"></h1><p id="hint"></p><button id="again">Try again</button><p id="state"></p>';
});

/** Whether the device has a connection, and what the server answers. */
function network(isOnline: boolean, answer: () => Response) {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
  server.use(http.head('*', answer));
}
const works = () => new HttpResponse(null, { status: 200 });
const fails = () => HttpResponse.error();

function goOnline() {
  network(true, works);
  window.dispatchEvent(new Event('online'));
}

it('says that the device is offline, and opens the page once it is online again', async () => {
  network(false, fails);
  const reload = vi.fn();
  startOfflinePage(reload);
  expect(part('title')).toHaveTextContent('You are offline');
  expect(part('hint')).toHaveTextContent('This device has no connection.');
  expect(reload).not.toHaveBeenCalled();
  goOnline();
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
});

it('says that only the server does not answer, and asks it again by itself', async () => {
  holdClock();
  network(true, fails);
  const reload = vi.fn();
  startOfflinePage(reload);
  expect(part('title')).toHaveTextContent('Bolts cannot be reached');
  expect(part('hint')).toHaveTextContent('the server does not answer');
  network(true, works);
  await passTimeUntil(() => expect(reload).toHaveBeenCalledTimes(1));
});

it('keeps asking a server that does not answer for a long time', async () => {
  holdClock();
  let asked = 0;
  network(true, () => {
    asked += 1;
    return fails();
  });
  const reload = vi.fn();
  startOfflinePage(reload);
  await passTimeUntil(() => expect(asked).toBeGreaterThan(8));
  expect(reload).not.toHaveBeenCalled();
  network(true, works);
  await passTimeUntil(() => expect(reload).toHaveBeenCalledTimes(1));
});

it('says that there is still no answer after a press of the button', async () => {
  network(false, fails);
  const reload = vi.fn();
  startOfflinePage(reload);
  part('again').click();
  expect(part('state')).toHaveTextContent('Trying...');
  await waitFor(() => expect(part('state')).toHaveTextContent('Still no answer.'));
  expect(reload).not.toHaveBeenCalled();
  network(false, works);
  part('again').click();
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
});
