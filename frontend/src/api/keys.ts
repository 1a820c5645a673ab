/** The cache key of a read is its path with a sorted query. */
export const keys = {
  user: '/api/auth/user',
  stats: '/api/users/stats',
  notifications: '/api/notifications',
  marketStats: '/api/bets/stats',
  bet: (key: string, token: string | null) => withQuery(`/api/bets/${encodeURIComponent(key)}`, { token }),
  timeline: (id: string, token: string | null) =>
    withQuery(`/api/bets/${encodeURIComponent(id)}/timeline`, { token }),
  shared: (token: string) => `/api/bets/share/${encodeURIComponent(token)}`,
  publicBets: (filters: Readonly<Record<string, string | null>>) => withQuery('/api/bets/public', filters),
  myBets: '/api/bets/my?limit=100',
  achievements: '/api/achievements',
  disputes: '/api/admin/disputes',
  adminBets: '/api/admin/bets',
  adminActions: '/api/admin/actions',
  adminWallet: '/api/admin/wallet',
  adminWithdrawals: (status: string | null) =>
    withQuery('/api/admin/withdrawals', { withdrawalStatus: status }),
  config: '/api/config',
  deposit: (id: string) => `/api/deposit/check-status/${encodeURIComponent(id)}`,
  withdrawals: '/api/withdrawals',
  latestWithdrawals: '/api/withdrawals?limit=5',
  withdrawal: (id: string) => `/api/withdrawals/${encodeURIComponent(id)}`,
  history: '/api/wallet/history',
  historyCsv: '/api/wallet/history.csv',
};

export function withQuery(path: string, query: Readonly<Record<string, string | null>>): string {
  const parameters = new URLSearchParams();
  for (const name of Object.keys(query).sort()) {
    const value = query[name];
    if (value) parameters.set(name, value);
  }
  const text = parameters.toString();
  return text ? `${path}?${text}` : path;
}
