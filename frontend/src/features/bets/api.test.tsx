import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { makeBet } from '../../test/fixtures';
import { server } from '../../test/server';
import { proposeOutcome } from './api';

it('proposes an outcome again after a rejection, and not as a repeat of the first proposal', async () => {
  const seen: (string | null)[] = [];
  server.use(
    http.post('/api/bets/bet-1/propose-resolution', ({ request }) => {
      seen.push(request.headers.get('Idempotency-Key'));
      return HttpResponse.error();
    }),
  );
  const propose = (rejectionCount: number) =>
    proposeOutcome(makeBet({ rejectionCount }), 'A').catch(() => {});
  await propose(0);
  await propose(0);
  await propose(1);
  expect(seen[1]).toBe(seen[0]);
  expect(seen[2]).not.toBe(seen[0]);
});
