import { waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { onGet, problem, server } from '../test/server';
import { type ApiError, get, getPage, nextPage, postMoney, write } from './client';

const failed = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('no error'),
    (error: ApiError) => error,
  );

/** A body whose connection breaks after its first bytes. */
function broken(): ReadableStream {
  return new ReadableStream({
    start: (body) => body.enqueue(new TextEncoder().encode('{"id":')),
    pull: (body) => body.error(new TypeError('terminated')),
  });
}

describe('errors', () => {
  it('carries status, code, sentence and fields of a problem', async () => {
    const fields = [{ field: 'title', message: 'Title must be at least 5 characters' }];
    server.use(http.post('/api/bets', () => problem(422, 'invalid', 'Check the form.', fields)));
    const error = await failed(write('POST', '/api/bets', {}));
    expect(error).toMatchObject({ status: 422, code: 'invalid', message: 'Check the form.', fields });
  });

  it("falls back to status and body where the answer isn't a problem", async () => {
    server.use(http.post('/api/x', () => new HttpResponse('Bad gateway', { status: 502 })));
    expect((await failed(write('POST', '/api/x'))).message).toBe('502: Bad gateway');
  });

  it('has status 0 when no answer came', async () => {
    server.use(http.get('/api/x', () => HttpResponse.error()));
    expect((await failed(get('/api/x'))).status).toBe(0);
  });

  it.each([200, 401, 409])('has status 0 when the answer %i breaks off', async (status) => {
    server.use(http.all('/api/x', () => new HttpResponse(broken(), { status })));
    expect(await failed(get('/api/x'))).toMatchObject({ status: 0, code: 'unreachable' });
    expect(await failed(write('POST', '/api/x'))).toMatchObject({ status: 0, code: 'unreachable' });
  });

  it.each(['', 'undefined'])('takes the body %j of a success as an error', async (body) => {
    server.use(http.get('/api/bets/a', () => new HttpResponse(body)));
    expect((await failed(get('/api/bets/a'))).code).toBe('invalid_response');
  });
});

it('asks the path itself, with cookies, and calls JSON what has a body', async () => {
  const seen: unknown[] = [];
  server.use(
    http.all('/api/x', ({ request: { method, credentials, headers } }) => {
      seen.push([method, credentials, headers.get('Content-Type')]);
      return HttpResponse.json({});
    }),
  );
  await get('/api/x');
  await write('POST', '/api/x');
  await write('PATCH', '/api/x', { a: 1 });
  expect(seen).toEqual([
    ['GET', 'include', null],
    ['POST', 'include', null],
    ['PATCH', 'include', 'application/json'],
  ]);
});

describe('reads', () => {
  it('are empty when not signed in, while writes fail', async () => {
    server.use(
      http.get('/api/auth/user', () => problem(401, 'unauthorized', 'Sign in.')),
      http.post('/api/bets', () => problem(401, 'unauthorized', 'Sign in.')),
    );
    expect(await get('/api/auth/user')).toBeNull();
    expect((await failed(write('POST', '/api/bets', {}))).status).toBe(401);
  });

  it('brings the next page along', async () => {
    onGet('/api/bets/public', [{ id: 'a' }], { Link: '</api/bets/public?cursor=c>; rel="next"' });
    expect(await getPage('/api/bets/public')).toEqual({
      items: [{ id: 'a' }],
      next: '/api/bets/public?cursor=c',
    });
  });
});

describe('money', () => {
  it('repeats a call without a clear answer under the same key, and only that', async () => {
    const seen: (string | null)[] = [];
    const answers = [
      () => HttpResponse.error(),
      () => problem(503, 'busy', 'Try again.'),
      () => new HttpResponse(broken()),
      () => new HttpResponse('{"ok":'),
      () => new HttpResponse(broken(), { status: 409 }),
      () => new HttpResponse('Request Timeout', { status: 408 }),
      () => HttpResponse.json({ ok: true }),
    ];
    server.use(
      http.post('/api/bets', ({ request }) => {
        seen.push(request.headers.get('Idempotency-Key'));
        return (answers.shift() ?? HttpResponse.error)();
      }),
    );
    for (const _ of [1, 2, 3, 4, 5, 6]) await failed(postMoney('/api/bets', { stake: 1 }));
    await postMoney('/api/bets', { stake: 1 });
    expect(seen[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(seen).size).toBe(1);
    await failed(postMoney('/api/bets', { stake: 1 }));
    expect(seen[7]).not.toBe(seen[0]);
  });

  it('tells a repeated answer of the server from a new one', async () => {
    const headers: Record<string, string>[] = [{ 'Idempotent-Replayed': 'true' }, {}];
    server.use(
      http.post('/api/bets', () => HttpResponse.json({ id: 'b-1' }, { headers: headers.shift() ?? {} })),
    );
    expect(await postMoney('/api/bets', { stake: 9 })).toEqual({ id: 'b-1', isRepeated: true });
    expect(await postMoney('/api/bets', { stake: 9 })).toEqual({ id: 'b-1', isRepeated: false });
  });

  it('is asked for anew after a refusal in the words of the server', async () => {
    const seen: (string | null)[] = [];
    server.use(
      http.post('/api/bets', ({ request }) => {
        seen.push(request.headers.get('Idempotency-Key'));
        return problem(409, 'insufficient_balance', 'You need more.');
      }),
    );
    await failed(postMoney('/api/bets', { stake: 2 }));
    await failed(postMoney('/api/bets', { stake: 2 }));
    expect(seen[1]).not.toBe(seen[0]);
  });

  /** Records the idempotency key of each call, and gives the answers in their order. */
  function onBets(...answers: (() => Response | Promise<Response>)[]) {
    const seen: (string | null)[] = [];
    server.use(
      http.post('/api/bets', ({ request }) => {
        seen.push(request.headers.get('Idempotency-Key'));
        return (answers.shift() ?? HttpResponse.error)();
      }),
    );
    return seen;
  }
  const lost = () => HttpResponse.error();
  const refused = () => problem(422, 'invalid_fields', 'Wrong password.');
  const done = () => HttpResponse.json({ ok: true });

  it('keeps the key of an attempt without an answer when the next one is refused, until one succeeds', async () => {
    const seen = onBets(lost, refused, refused, done, done);
    for (const _ of [1, 2, 3]) await failed(postMoney('/api/bets', { stake: 3 }));
    for (const _ of [4, 5]) await postMoney('/api/bets', { stake: 3 });
    expect(new Set(seen.slice(0, 4)).size).toBe(1);
    expect(seen[4]).not.toBe(seen[0]);
  });

  it('keeps the key of an attempt that is on its way when another one is refused', async () => {
    let lose = (_: Response) => {};
    const later = new Promise<Response>((resolve) => {
      lose = resolve;
    });
    const seen = onBets(() => later, refused, done);
    const first = failed(postMoney('/api/bets', { stake: 4 }));
    await waitFor(() => expect(seen).toHaveLength(1));
    await failed(postMoney('/api/bets', { stake: 4 }));
    lose(HttpResponse.error());
    await first;
    await postMoney('/api/bets', { stake: 4 });
    expect(new Set(seen).size).toBe(1);
  });

  it('lets a late answer end its own order only, not the same one made anew', async () => {
    let answer = (_: Response) => {};
    const later = new Promise<Response>((resolve) => {
      answer = resolve;
    });
    const seen = onBets(() => later, done, lost, done);
    const first = postMoney('/api/bets', { stake: 5 });
    await waitFor(() => expect(seen).toHaveLength(1));
    await postMoney('/api/bets', { stake: 5 });
    await failed(postMoney('/api/bets', { stake: 5 }));
    answer(done());
    await first;
    await postMoney('/api/bets', { stake: 5 });
    expect(seen[1]).toBe(seen[0]);
    expect(seen[2]).not.toBe(seen[0]);
    expect(seen[3]).toBe(seen[2]);
  });

  it('gives an order that was changed a key of its own, and finds that of the first again', async () => {
    const seen = onBets(lost, lost, done);
    await failed(postMoney('/api/bets', { stake: 6 }));
    await failed(postMoney('/api/bets', { stake: 7 }));
    await postMoney('/api/bets', { stake: 6 });
    expect(seen[1]).not.toBe(seen[0]);
    expect(seen[2]).toBe(seen[0]);
  });

  it('knows an order without an answer after a reload, but not after a logout, and stores no password', async () => {
    const seen = onBets(lost, refused, lost, done);
    const order = async () => {
      const client = await import('./client');
      await client.postMoney('/api/bets', { stake: 8, password: 'secret' }, { stake: 8 }).catch(() => {});
    };
    const stored = () => JSON.stringify({ ...sessionStorage });
    await order();
    vi.resetModules();
    await order();
    vi.resetModules();
    await order();
    expect(new Set(seen).size).toBe(1);
    expect(stored()).toContain(seen[0]);
    expect(stored()).not.toContain('secret');
    const { forgetIdempotencyKeys } = await import('./idempotency');
    forgetIdempotencyKeys();
    expect(stored()).toBe('{}');
    await order();
    expect(seen[3]).not.toBe(seen[0]);
    expect(stored()).not.toContain(seen[3]);
  });
});

describe('Link header', () => {
  it.each([
    [null, null],
    ['', null],
    ['</api/x?cursor=1>; rel="next"', '/api/x?cursor=1'],
    ['</api/x?cursor=1>; rel=next', '/api/x?cursor=1'],
    ['<http://bolts.test/api/x?cursor=1>; rel="next"', '/api/x?cursor=1'],
    ['</a>; rel="prev", </b?x=1,2>; title="n"; rel="next last"', '/b?x=1,2'],
    ['</a>; rel="prev"', null],
    ['</a>; rel="nextish"', null],
  ])('%j leads to %j', (header, expected) => {
    expect(nextPage(header)).toBe(expected);
  });
});
