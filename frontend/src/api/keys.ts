/** Every read's cache key is its path with a sorted query. */
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
  myBets: (filters: Readonly<Record<string, string | null>>) => withQuery('/api/bets/my', filters),
  achievements: '/api/achievements',
  disputes: '/api/admin/disputes',
  adminBets: '/api/admin/bets',
  adminActions: '/api/admin/actions',
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
