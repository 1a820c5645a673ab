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

/** Which page's code an address will need, as far as one can tell before it is known who is signed in. */
export function firstPageOf(pathname: string, visitor: boolean): FirstPage {
  const table = new Map<string, string>(Object.entries(firstPages[visitor ? 'visitor' : 'member']));
  const name = table.get(pathname.split('/')[1] || 'index') ?? table.get('index');
  return name as FirstPage;
}
