import { HttpResponse, http, type JsonBodyType } from 'msw';
import { setupServer } from 'msw/node';
import type { FieldProblem } from '../api/types';

/**
 * The default answers: sats are real, the user has no second factor, no listed session, no API key, no webhook and no
 * device with notifications, no bet waits for the user, the user is no arbiter, no other user is found, no bet has messages,
 * and the wording check has no remarks.
 */
export const server = setupServer(
  http.get('/api/config', () =>
    HttpResponse.json({ isTestMode: false, withdrawalsPaused: false, sendsMail: false }),
  ),
  http.get('/api/account/deletion', () => HttpResponse.json({ obstacles: [] })),
  http.get('/api/auth/factors', () => HttpResponse.json({ totp: false, passkeys: [], recoveryCodesLeft: 0 })),
  http.get('/api/auth/sessions', () => HttpResponse.json([])),
  http.get('/api/auth/keys', () => HttpResponse.json([])),
  http.get('/api/notifications/webhook', () => HttpResponse.json({ url: null, since: null, stopped: null })),
  http.get('/api/notifications/push-subscriptions', () =>
    HttpResponse.json({ publicKey: 'AQID', subscriptions: [] }),
  ),
  http.get('/api/bets/:id/messages', () => HttpResponse.json([])),
  http.get('/api/bets/turn-count', () => HttpResponse.json({ turnCount: 0 })),
  http.get('/api/bets/arbitrated', () => HttpResponse.json([])),
  http.get('/api/users/search', () => HttpResponse.json([])),
  http.post('/api/check-bet-wording', () => HttpResponse.json([])),
);

/** Answers a GET with a JSON body; '*' stands for any query. */
export function onGet(path: string, body: JsonBodyType, headers: Record<string, string> = {}) {
  server.use(http.get(path, () => HttpResponse.json(body, { headers })));
}

export function problem(status: number, code: string, detail: string, errors: FieldProblem[] = []) {
  return HttpResponse.json(
    { type: 'about:blank', title: 'Problem', status, code, detail, errors },
    { status, headers: { 'Content-Type': 'application/problem+json' } },
  );
}

/** Answers a write. Returns an array that collects the bodies of the requests. */
export function onWrite(
  method: 'post' | 'put' | 'delete' | 'patch',
  path: string,
  answer: () => Response,
): unknown[] {
  const bodies: unknown[] = [];
  server.use(
    http[method](path, async ({ request }) => {
      const text = await request.text();
      bodies.push(text ? JSON.parse(text) : null);
      return answer();
    }),
  );
  return bodies;
}
