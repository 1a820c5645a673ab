import { forget, keep, recall } from '../lib/tab-storage';

const STORED = 'bolts.unanswered';

interface Attempts {
  key: string;
  /** The number of attempts without a clear answer. Each of these attempts may have succeeded, or may still succeed. */
  open: number;
}

/**
 * The calls that move money and have no clear answer yet. They are stored, because a reload interrupts a call and
 * leaves its result unknown.
 */
const unanswered = new Map<string, Attempts>(
  Object.entries(recall(STORED) ?? {}).map(([call, key]) => [call, { key: String(key), open: 1 }]),
);

/** One attempt at a call. */
interface Attempt {
  /** The idempotency key. All attempts at a call have the same key until one succeeds or all are refused. */
  key: string;
  succeeded: () => void;
  refused: () => void;
}

export function attempt(call: string): Attempt {
  const order = unanswered.get(call) ?? { key: randomKey(), open: 0 };
  order.open += 1;
  unanswered.set(call, order);
  store();
  function end() {
    // If a new call with the same content has begun in the meantime, its key must stay.
    if (unanswered.get(call) !== order) return;
    unanswered.delete(call);
    store();
  }
  return {
    key: order.key,
    succeeded: end,
    refused: () => {
      order.open -= 1;
      // A refusal of this attempt proves nothing about an earlier attempt, which may still succeed with this key.
      if (order.open === 0) end();
    },
  };
}

/**
 * Whether an order of `postMoney` has no clear answer yet. It may have succeeded, so the user's balance may lack its money
 * already. A repeat takes nothing more.
 */
export function isUnanswered(path: string, order: unknown): boolean {
  return unanswered.has(`${path} ${JSON.stringify(order)}`);
}

/** Forgets all keys, because another user may sign in here next. */
export function forgetIdempotencyKeys(): void {
  unanswered.clear();
  forget(STORED);
}

/**
 * Stores the keys so that they survive a reload. The draft of a bet survives a reload too. If its key were lost,
 * sending the draft again could create a second bet.
 */
function store() {
  keep(STORED, Object.fromEntries([...unanswered].map(([call, { key }]) => [call, key])));
}

/** Bolts may run over plain http. `crypto.randomUUID` does not exist there, except on localhost. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
