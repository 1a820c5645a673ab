import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { test as base } from '@playwright/test';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const START_LIMIT_MS = 60_000;

/** A running server with a new database, and a way to run other commands of the same binary on that database. */
export interface Bolts {
  origin: string;
  /** Runs a subcommand on the server's database. Returns its exit code and its output. */
  run: (...args: string[]) => { code: number | null; output: string };
}

function binary(): string {
  const chosen = path.resolve(process.env.BOLTS_BIN ?? path.join(HERE, '../../target/debug/bolts'));
  if (!existsSync(chosen)) throw new Error(`No server at ${chosen}: build it, or set BOLTS_BIN.`);
  return chosen;
}

/** The address that the server prints once it listens. */
function printedAddress(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`The server did not start: ${why}`));
    const timer = setTimeout(() => fail('it printed no address in time'), START_LIMIT_MS);
    server.once('exit', (code) => fail(`it ended with ${code}`));
    if (!server.stdout) return fail('it has no standard output');
    createInterface({ input: server.stdout }).on('line', (line) => {
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line);
      if (!address) return;
      clearTimeout(timer);
      resolve(address[0]);
    });
  });
}

async function stop(server: ChildProcess) {
  if (server.exitCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await ended;
}

interface Database {
  url: string;
  release: () => void;
}

/**
 * Creates a new SQLite file. If BOLTS_E2E_POSTGRES names a program that creates PostgreSQL databases, that program
 * creates a new PostgreSQL database instead.
 */
async function freshDatabase(folder: string): Promise<Database> {
  const maker = process.env.BOLTS_E2E_POSTGRES;
  if (!maker) return { url: `sqlite://${path.join(folder, 'bolts.db')}`, release: () => undefined };
  const keeper = spawn(path.resolve(maker), { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: keeper.stdout });
  const url = await new Promise<string>((resolve, reject) => {
    lines.once('line', resolve);
    keeper.once('exit', (code) => reject(new Error(`No PostgreSQL: ${maker} ended with ${code}`)));
  });
  return { url, release: () => keeper.stdin.end() };
}

/**
 * Starts the real server on a new database and passes the server to `use`. Then stops the server and removes the
 * database.
 */
export async function withBolts(use: (bolts: Bolts) => Promise<void>, options: Record<string, string> = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'bolts-e2e-'));
  const kept = await freshDatabase(folder);
  const database = ['--database-url', kept.url];
  const command = binary();
  const server = spawn(command, ['serve', ...database], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      BOLTS_BIND: '127.0.0.1:0',
      BOLTS_SIGNUPS_PER_HOUR: '0',
      BOLTS_SIGNINS_PER_MINUTE: '0',
      BOLTS_BETS_PER_HOUR: '0',
      BOLTS_WRITES_PER_MINUTE: '0',
      BOLTS_LOG: process.env.BOLTS_LOG ?? 'warn',
      ...options,
    },
  });
  try {
    const origin = await printedAddress(server);
    await use({
      origin,
      run: (...args) => {
        const done = spawnSync(command, [...args, ...database], { encoding: 'utf8' });
        return { code: done.status, output: done.stdout + done.stderr };
      },
    });
  } finally {
    await stop(server);
    kept.release();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const test = base.extend<object, { bolts: Bolts }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern
  bolts: [async ({}, use) => withBolts(use), { scope: 'worker' }],
  baseURL: async ({ bolts }, use) => use(bolts.origin),
});

export { expect } from '@playwright/test';
