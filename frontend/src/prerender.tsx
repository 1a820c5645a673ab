/**
 * The code that the build runs: the table of the HTML pages, and the rendering of the pages that are the same for all
 * visitors.
 */
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { App } from './app/App';
import type { FirstPage } from './app/first-pages';
import { pages } from './app/pages';

export { firstPages, MEMBER_ANSWERS } from './app/first-pages';

/** The HTML of a page at the given path. It equals the first rendering by `main.tsx`. */
export async function render({ page }: FirstPage, path: string): Promise<string> {
  await pages[page].prepare();
  return renderToString(
    <StrictMode>
      <StaticRouter location={path}>
        <App />
      </StaticRouter>
    </StrictMode>,
  );
}
