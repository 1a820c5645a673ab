import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

test('the types are those of the committed document; else: just api', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'bolts-schema-'));
  try {
    // Runs the generator as a separate program, because it needs plain Node, and the page tests run in jsdom.
    const fresh = path.join(folder, 'schema.d.ts');
    const command = path.join(root, 'node_modules/openapi-typescript/bin/cli.js');
    execFileSync(process.execPath, [command, 'openapi.json', '-o', fresh], { cwd: root, stdio: 'pipe' });
    expect(readFileSync(fresh, 'utf8')).toBe(readFileSync(path.join(root, 'src/api/schema.d.ts'), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 30_000);
