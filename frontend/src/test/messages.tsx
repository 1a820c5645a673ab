import { HttpResponse, http } from 'msw';
import type { Bet, Message } from '../api/types';
import Messages from '../features/messages/Messages';
import { makeBet, user } from './fixtures';
import { held } from './held';
import { renderApp } from './render';
import { onGet, server } from './server';

let count = 0;

export function message(change: Partial<Message> = {}): Message {
  count += 1;
  return {
    id: `m-${String(count).padStart(4, '0')}`,
    author: { id: 'u-ada', username: 'ada', email: 'a•••@example.com' },
    text: `Message ${count}`,
    pictures: [],
    isEvidence: false,
    createdAt: '2026-03-01T12:05:00Z',
    deletedAt: null,
    canDelete: false,
    ...change,
  };
}

export const me = { id: user.id, username: user.username, email: 'm•••@example.com' };
export const live: Partial<Bet> = { status: 'accepted', acceptorId: user.id };

/** Answers with these messages. The server lists the newest message first here. */
export function onMessages(...oldestFirst: Message[]) {
  onGet('/api/bets/bet-1/messages', [...oldestFirst].reverse());
}

export function show(change: Partial<Bet> = live, token: string | null = null) {
  return renderApp(<Messages bet={makeBet(change)} token={token} />);
}

/** Stores the next message only when the test calls the returned function. */
export function onHeldSend(): () => void {
  const { released, release } = held();
  onSend(async () => {
    await released;
    return HttpResponse.json(message(), { status: 201 });
  });
  return release;
}

/** Answers each message with the next of `answers`. Returns the idempotency keys. */
export function onSend(...answers: (() => Response | Promise<Response>)[]): (string | null)[] {
  const seen: (string | null)[] = [];
  server.use(
    http.post('/api/bets/bet-1/messages', ({ request }) => {
      seen.push(request.headers.get('Idempotency-Key'));
      return (answers.shift() ?? (() => HttpResponse.json(message(), { status: 201 })))();
    }),
  );
  return seen;
}
