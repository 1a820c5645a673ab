import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const FRONTEND = process.cwd();
const DOCUMENT = path.join(FRONTEND, '../docs/ui-coverage.md');

interface Row {
  quote: string;
  components: string[];
  tests: string[];
}

/** The table's rows, but for those that say that something is not there. */
function rows(): Row[] {
  const lines = readFileSync(DOCUMENT, 'utf8').split('\n');
  return lines
    .filter((line) => /^\| (?!quote \||---)/.test(line) && !/^\|-/.test(line))
    .map((line) => line.slice(2, -2).split(' | '))
    .filter(([, , tests]) => !tests?.startsWith('missing'))
    .map(([quote = '', components = '', tests = '']) => ({
      quote,
      components: components.startsWith('-') ? [] : components.split(', '),
      tests: tests.startsWith('-') ? [] : tests.split(', '),
    }));
}

/** A path as the document writes it: below the features, else below the sources, else an end-to-end file. */
function fileOf(name: string): string | null {
  const places = name.startsWith('e2e/') ? [name] : [`src/features/${name}`, `src/${name}`];
  return places.map((place) => path.join(FRONTEND, place)).find((file) => existsSync(file)) ?? null;
}

const plain = (text: string) => text.replaceAll('’', "'").replaceAll("\\'", "'");
const contents = (name: string) => plain(readFileSync(fileOf(name) ?? '', 'utf8'));
const all = rows();

it('the table has its three columns', () => {
  expect(all.length).toBeGreaterThan(200);
  expect(
    all.filter(({ quote, components, tests }) => !quote || (components.length > 0 && tests.length === 0)),
  ).toEqual([]);
});

it('every file that it names exists', () => {
  const named = new Set(all.flatMap(({ components, tests }) => [...components, ...tests]));
  expect([...named].filter((name) => fileOf(name) === null)).toEqual([]);
});

describe('the quotes', () => {
  const quoted = all.filter(({ quote }) => /^‘.*’$/.test(quote));
  const texts = readdirSync(path.join(FRONTEND, 'src/texts'))
    .map((name) => contents(`texts/${name}`))
    .join('\n')
    .replace(/\$\{[^}]*\}/g, '{}');
  const wordsOf = (quote: string) => plain(quote.slice(1, -1)).replace(/\{\w+\}/g, '{}');

  it('are in the one catalogue of texts', () => {
    expect(quoted.map(({ quote }) => wordsOf(quote)).filter((words) => !texts.includes(words))).toEqual([]);
  });

  it('are asked for by a test that the row names', () => {
    const parts = (quote: string) =>
      wordsOf(quote)
        .split('{}')
        .map((part) => part.trim());
    const asked = ({ quote, tests }: Row) =>
      tests.some((name) => parts(quote).every((part) => contents(name).includes(part)));
    expect(quoted.filter((row) => !asked(row)).map(({ quote }) => quote)).toEqual([]);
  });
});
