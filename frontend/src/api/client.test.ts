import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { onGet, problem, server } from '../test/server';
import { type ApiError, get, getPage, nextPage, postMoney, write } from './client';
import { keys } from './keys';

const failed = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('no error'),
    (error: ApiError) => error,
  );

/** A body whose connection goes after its first bytes. */
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

it('builds keys with a sorted query and without what is empty', () => {
  expect(keys.publicBets({ sort: 'oldest', q: 'a b', category: null, status: '' })).toBe(
    '/api/bets/public?q=a+b&sort=oldest',
  );
  expect(keys.bet('a/b', 't')).toBe('/api/bets/a%2Fb?token=t');
});
