import { forget, keep, recall } from '../lib/tab-storage';

const STORED = 'bolts.unanswered';

interface Attempts {
  key: string;
  /** How many of them have no clear answer: each of these may yet be done, or have been. */
  open: number;
}

/** The calls that move money and have no clear answer. A reload leaves open what it broke off. */
const unanswered = new Map<string, Attempts>(
  Object.entries(recall(STORED) ?? {}).map(([call, key]) => [call, { key: String(key), open: 1 }]),
);

/** One attempt at an order. */
export interface Attempt {
  /** The same for all attempts at the order, until one of them has succeeded. */
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
    // Another order of the same words may have begun meanwhile.
    if (unanswered.get(call) !== order) return;
    unanswered.delete(call);
    store();
  }
  return {
    key: order.key,
    succeeded: end,
    refused: () => {
      order.open -= 1;
      // What is refused now says nothing of an attempt before, which may come to be done under this key.
      if (order.open === 0) end();
    },
  };
}

/** For whoever signs in here next. */
export function forgetOrders(): void {
  unanswered.clear();
  forget(STORED);
}

/** A page that is loaded anew must still know them: a bet's draft survives that, and would else be a second bet. */
function store() {
  keep(STORED, Object.fromEntries([...unanswered].map(([call, { key }]) => [call, key])));
}

/** `crypto.randomUUID` is missing on plain-http hosts other than localhost, where Bolts may well be run. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
