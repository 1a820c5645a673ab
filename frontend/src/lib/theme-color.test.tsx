import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { chooseTheme } from './theme';
import { GROUND, paintBars } from './theme-color';

const read = (name: string) => readFileSync(`src/${name}`, 'utf8');

afterEach(() => chooseTheme(null));

it('the colours of the bars are those of the page', () => {
  expect(read('styles/tokens.css')).toContain(`--bg: light-dark(${GROUND.light}, ${GROUND.dark});`);
  for (const [theme, colour] of Object.entries(GROUND))
    expect(read('index.html')).toContain(`content="${colour}" media="(prefers-color-scheme: ${theme})"`);
  const { theme_color, background_color } = JSON.parse(
    read('pwa/manifest.webmanifest').replace(/<%=.*?%>/g, ''),
  );
  expect([theme_color, background_color]).toEqual([GROUND.light, GROUND.light]);
});

it('the bars follow the chosen theme, and the system without one', () => {
  document.head.innerHTML = (read('index.html').match(/<meta name="theme-color".*>/g) ?? []).join('');
  const colours = () => {
    paintBars();
    return [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].map(
      ({ content }) => content,
    );
  };
  expect(colours()).toEqual([GROUND.light, GROUND.dark]);
  chooseTheme('dark');
  expect(colours()).toEqual([GROUND.dark, GROUND.dark]);
  chooseTheme('light');
  expect(colours()).toEqual([GROUND.light, GROUND.light]);
  chooseTheme(null);
  expect(colours()).toEqual([GROUND.light, GROUND.dark]);
});
