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

/**
 * The rows of the tables in docs/ui-coverage.md. A cell that begins with '-' means that there is no component or no
 * test.
 */
function rows(): Row[] {
  const lines = readFileSync(DOCUMENT, 'utf8').split('\n');
  return lines
    .filter((line) => /^\| (?!quote \||---)/.test(line) && !/^\|-/.test(line))
    .map((line) => line.slice(2, -2).split(' | '))
    .map(([quote = '', components = '', tests = '']) => ({
      quote,
      components: components.startsWith('-') ? [] : components.split(', '),
      tests: tests.startsWith('-') ? [] : tests.split(', '),
    }));
}

/**
 * The file that a name in the document stands for: a path below `src/features`, below `src`, or an end-to-end test.
 * Null if no such file exists.
 */
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

describe('the calls', () => {
  const { paths } = JSON.parse(readFileSync(path.join(FRONTEND, 'openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const unnamed = (address: string) => address.replace(/\{\w+\}/g, '{}');
  const known = Object.entries(paths).flatMap(([address, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${unnamed(address)}`),
  );
  const calls = all.flatMap((row) => {
    const [, call = ''] = /^`([A-Z]+ \/api\/[^`]*)`/.exec(row.quote) ?? [];
    return call ? [{ ...row, call: unnamed(call) }] : [];
  });

  it('are in the document of the API', () => {
    expect(calls.length).toBeGreaterThan(30);
    expect(calls.map(({ call }) => call).filter((call) => !known.includes(call))).toEqual([]);
  });

  it('are made in a test that the row names', () => {
    const parts = (call: string) => call.replace(/^[A-Z]+ /, '').split('{}');
    const made = ({ call, tests }: (typeof calls)[number]) =>
      tests.some((name) => parts(call).every((part) => contents(name).includes(part)));
    const untested = calls.filter((row) => row.components.length > 0 && !made(row));
    expect(untested.map(({ call }) => call)).toEqual([]);
  });
});
