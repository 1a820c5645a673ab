import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { PNG } from 'pngjs';

/** With `ICONS=write` the test writes the icons of the app. Otherwise it compares them with the favicon, their source. */
const WRITES = process.env.ICONS === 'write';
const SOURCE = path.join(import.meta.dirname, '../src/favicon.svg');
const FOLDER = path.join(import.meta.dirname, '../src/pwa/icons');
const GROUND = '#f7f0e1';
/** Another version of Chromium may smooth edges in another way. */
const MOST_DIFFERENT = 0.01;

interface Icon {
  name: string;
  size: number;
  /** The part of the icon's width that the drawing has. */
  scale: number;
  /** The radius of the ground's corners, in percent. Undefined if the drawing has no ground. */
  corners?: number;
  /** Whether the icon is the bolt alone, in white: Android shows only the shape of a badge. */
  isBadge?: boolean;
}

const ICONS: Icon[] = [
  { name: 'app-192', size: 192, scale: 0.8, corners: 22 },
  { name: 'app-512', size: 512, scale: 0.8, corners: 22 },
  // Systems cut a maskable icon to a shape that contains at least the circle of 80 % of its width.
  { name: 'maskable-512', size: 512, scale: 0.68, corners: 0 },
  { name: 'apple-touch-icon', size: 180, scale: 0.8, corners: 0 },
  { name: 'badge-96', size: 96, scale: 1.7, isBadge: true },
];

function drawing({ size, scale, corners, isBadge }: Icon): string {
  const [whole = '', slip = '', bolt = ''] =
    /^<svg[^>]*>(<path.*?\/>)(<path.*?\/>)<\/svg>$/.exec(readFileSync(SOURCE, 'utf8').trim()) ?? [];
  expect(whole, 'the favicon has a slip and a bolt').not.toBe('');
  const shapes = isBadge ? bolt.replace(/fill="[^"]*"/, 'fill="#fff"') : slip + bolt;
  const ground =
    corners === undefined
      ? ''
      : `<rect width="32" height="32" rx="${(corners / 100) * 32}" fill="${GROUND}"/>`;
  const move = `translate(16 16) scale(${scale}) translate(-16 -16)`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="${size}" height="${size}">${ground}<g transform="${move}">${shapes}</g></svg>`;
}

/** The part of the pixels that are not the same in both pictures. */
function difference(one: Buffer, other: Buffer): number {
  const [a, b] = [PNG.sync.read(one), PNG.sync.read(other)];
  expect([a.width, a.height]).toEqual([b.width, b.height]);
  const pixels = a.width * a.height;
  const differs = (pixel: number) =>
    [0, 1, 2, 3].some(
      (part) => Math.abs((a.data[pixel * 4 + part] ?? 0) - (b.data[pixel * 4 + part] ?? 0)) > 32,
    );
  return Array.from({ length: pixels }, (_, pixel) => pixel).filter(differs).length / pixels;
}

for (const icon of ICONS)
  test(`the icon ${icon.name} shows the favicon`, async ({ page }) => {
    await page.setViewportSize({ width: icon.size, height: icon.size });
    await page.setContent(`<style>body{margin:0}svg{display:block}</style>${drawing(icon)}`);
    const drawn = await page.screenshot({ omitBackground: true });
    const file = path.join(FOLDER, `${icon.name}.png`);
    if (WRITES) writeFileSync(file, drawn);
    expect(existsSync(file), 'run the test with ICONS=write').toBe(true);
    expect(difference(drawn, readFileSync(file))).toBeLessThan(MOST_DIFFERENT);
  });
