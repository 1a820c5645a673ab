import type { paths } from './schema';

/** The paths that answer a GET with JSON, and the types of their answers. */
type Answers = {
  [Path in keyof paths as paths[Path] extends Readable ? Path : never]: paths[Path] extends Readable<
    infer Answer
  >
    ? Answer
    : never;
};
interface Readable<Answer = unknown> {
  get: { responses: { 200: { content: { 'application/json': Answer } } } };
}

/** The parameters of a request. Path parameters are required, query parameters are optional. */
type Parameters<Path extends keyof Answers> = paths[Path] extends {
  get: { parameters: { path?: infer InPath; query?: infer InQuery } };
}
  ? Given<InPath> & { readonly [Name in keyof Given<InQuery>]?: Given<InQuery>[Name] | null }
  : never;
type Given<T> = [NonNullable<T>] extends [never] ? object : NonNullable<T>;

declare const answer: unique symbol;

/** The cache key of a read: its path with a sorted query. The type of the answer comes from the OpenAPI document. */
export type Key<Answer> = string & { readonly [answer]: Answer };

/** The server lists at most this many bets that wait for a user. */
export const MOST_TURNS = 100;

export const keys = {
  user: keyOf('/api/auth/user'),
  stats: keyOf('/api/users/stats'),
  notifications: keyOf('/api/notifications'),
  marketStats: keyOf('/api/bets/stats'),
  bet: (key: string, token: string | null) => keyOf('/api/bets/{key}', { key, token }),
  timeline: (key: string, token: string | null) => keyOf('/api/bets/{key}/timeline', { key, token }),
  shared: (token: string) => keyOf('/api/bets/share/{token}', { token }),
  publicBets: (filters: Parameters<'/api/bets/public'>) => keyOf('/api/bets/public', filters),
  myBets: keyOf('/api/bets/my', { limit: 100 }),
  myTurn: keyOf('/api/bets/my', { turn: 'mine', limit: MOST_TURNS }),
  arbitrated: keyOf('/api/bets/arbitrated'),
  turnCount: keyOf('/api/bets/turn-count'),
  achievements: keyOf('/api/achievements'),
  // Only ten at first, so that many disputes do not push the other parts of the panel away.
  disputes: keyOf('/api/admin/disputes', { limit: 10 }),
  adminBets: keyOf('/api/admin/bets'),
  adminActions: keyOf('/api/admin/actions'),
  adminWallet: keyOf('/api/admin/wallet'),
  adminWithdrawals: (withdrawalStatus: string | null) =>
    keyOf('/api/admin/withdrawals', { withdrawalStatus }),
  config: keyOf('/api/config'),
  deposit: (id: string) => keyOf('/api/deposit/check-status/{id}', { id }),
  withdrawals: keyOf('/api/withdrawals'),
  latestWithdrawals: keyOf('/api/withdrawals', { limit: 5 }),
  withdrawal: (id: string) => keyOf('/api/withdrawals/{id}', { id }),
  // Only ten at first, because other sections of the account follow.
  history: keyOf('/api/wallet/history', { limit: 10 }),
  historyCsv: '/api/wallet/history.csv',
};

/**
 * The key of a path with its parameters filled in. Query parameters without a value are left out. The mark below lets the
 * build leave out the keys that a script does not use.
 */
/* @__NO_SIDE_EFFECTS__ */
export function keyOf<Path extends keyof Answers>(
  path: Path,
  parameters?: Parameters<Path>,
): Key<Answers[Path]> {
  const query = new URLSearchParams();
  let filled: string = path;
  for (const [name, value] of Object.entries(parameters ?? {}).sort()) {
    const place = `{${name}}`;
    if (filled.includes(place)) filled = filled.replace(place, () => encodeURIComponent(String(value)));
    else if (value) query.set(name, String(value));
  }
  const text = query.toString();
  return (text ? `${filled}?${text}` : filled) as Key<Answers[Path]>;
}
