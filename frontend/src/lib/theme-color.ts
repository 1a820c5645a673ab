import { chosenTheme } from './theme';

/** The token --bg of both themes. */
export const GROUND = { light: '#f7f0e1', dark: '#10141c' };

/** Gives the browser's own bars the colour of the theme. Without a chosen theme they follow the system, like the page. */
export function paintBars(): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
    meta.content = GROUND[chosenTheme() ?? (meta.matches('[media*=dark]') ? 'dark' : 'light')];
}
