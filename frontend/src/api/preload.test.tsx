import { render, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { mutate } from 'swr';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { user } from '../test/fixtures';
import { problem, server } from '../test/server';
import { type Key, keys } from './keys';
import { preloadReads } from './preload';
import { useSession } from './session';
import { useApi } from './useApi';
import { usePagedApi } from './usePagedApi';

/** Adds a link like the links of the HTML page and of the early script. */
function link(path: string, list = false) {
  const element = document.createElement('link');
  element.setAttribute('as', 'fetch');
  element.setAttribute('href', path);
  if (list) element.dataset.list = '';
  document.head.append(element);
}

let asked = 0;
let path = '';
/** Answers the path of the test. Each test has its own path, because SWR keeps the answers of earlier tests. */
function answer(...answers: Response[]) {
  server.use(
    http.get(path, () => {
      asked += 1;
      return answers[asked - 1] ?? HttpResponse.json(`answer ${asked}`);
    }),
  );
}

beforeEach(() => {
  path = `/api/x${Math.random()}`;
  asked = 0;
});
afterEach(() => document.head.replaceChildren());

function Probe() {
  const { data, error } = useApi(path as Key<string>);
  return <p>{error ? `failed: ${error.status}` : (data ?? 'asking')}</p>;
}

function ListProbe() {
  const { items } = usePagedApi(path as Key<string[]>);
  return <p>{items?.join() ?? 'asking'}</p>;
}

/** Waits until the effects of the first rendering have run. A second request would start there. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 50));

it('an answer is known at the first rendering, and is read once', async () => {
  link(path);
  answer();
  await preloadReads();
  render(<Probe />);
  expect(screen.getByText('answer 1')).toBeVisible();
  await settled();
  expect(asked).toBe(1);
  await mutate(path);
  expect(await screen.findByText('answer 2')).toBeVisible();
});

it('an answer that is still on its way is read once', async () => {
  link(path);
  answer();
  const all = preloadReads();
  render(<Probe />);
  expect(await screen.findByText('answer 1')).toBeVisible();
  await all;
  expect(asked).toBe(1);
});

it('the first page of a list is read once', async () => {
  link(path, true);
  answer(HttpResponse.json(['a', 'b']));
  await preloadReads();
  render(<ListProbe />);
  expect(await screen.findByText('a,b')).toBeVisible();
  await settled();
  expect(asked).toBe(1);
});

it('a failure is not kept', async () => {
  link(path);
  answer(problem(503, 'unavailable', 'x'));
  await preloadReads();
  render(<Probe />);
  expect(await screen.findByText('answer 2')).toBeVisible();
});

it('the failure of a list is not kept', async () => {
  link(path, true);
  answer(problem(503, 'unavailable', 'x'), HttpResponse.json(['a']));
  await preloadReads();
  await waitFor(() => expect(asked).toBe(1));
  await settled();
  render(<ListProbe />);
  expect(await screen.findByText('a')).toBeVisible();
});

it('what does not exist is asked for once', async () => {
  link(path);
  answer(problem(404, 'bet_not_found', 'x'));
  await preloadReads();
  render(<Probe />);
  expect(await screen.findByText('failed: 404')).toBeVisible();
  await settled();
  expect(asked).toBe(1);
});

it('the user is known at the first rendering, and is asked for once', async () => {
  path = keys.user;
  link(path);
  answer(HttpResponse.json(user));
  await preloadReads();
  function SessionProbe() {
    const session = useSession();
    return <p>{session.user?.email ?? 'nobody'}</p>;
  }
  render(<SessionProbe />);
  expect(screen.getByText(user.email)).toBeVisible();
  await settled();
  expect(asked).toBe(1);
});
