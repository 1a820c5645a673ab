import firstPages from './first-pages.json';

export type FirstPage =
  | 'landing'
  | 'auth'
  | 'portfolio'
  | 'create'
  | 'market'
  | 'bet'
  | 'share'
  | 'achievements'
  | 'account'
  | 'admin';

/** The page whose code an address probably needs, before the session is known. */
export function firstPageOf(pathname: string, visitor: boolean): FirstPage {
  const table = new Map<string, string>(Object.entries(firstPages[visitor ? 'visitor' : 'member']));
  const name = table.get(pathname.split('/')[1] || 'index') ?? table.get('index');
  return name as FirstPage;
}
