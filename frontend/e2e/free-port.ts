import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Linux takes the port of a server that asks for any port from above the range 20,000 to 31,999. */
const FIRST_PORT = 20_000;
const PORT_COUNT = 12_000;

/**
 * A free port for a server that starts later. Until this process ends, no other test gets this port. The Rust tests and
 * `crates/app/tests/lnbits/network.py` use the same lock files.
 */
export async function freePort(): Promise<number> {
  // Each user of the machine has a folder, because nobody may write to another user's files.
  const folder = path.join(tmpdir(), `bolts-test-ports-${process.getuid?.()}`);
  mkdirSync(folder, { recursive: true });
  // Processes that run together start their search at different ports.
  const first = process.pid * 31;
  for (let step = 0; step < PORT_COUNT; step += 1) {
    const port = FIRST_PORT + ((first + step) % PORT_COUNT);
    const release = await lock(path.join(folder, `${port}`));
    if (!release) continue;
    if (await isFree(port)) return port;
    release();
  }
  throw new Error('no port is free');
}

/** Locks a file until the returned function is called or this process ends. Null if another process has the lock. */
function lock(file: string): Promise<(() => void) | null> {
  return new Promise((resolve, reject) => {
    // Node cannot lock a file. This program can, and its input ends with this process, even after a SIGKILL.
    const holder = spawn('flock', ['-n', file, 'sh', '-c', 'echo locked; exec cat'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    holder.once('error', reject);
    holder.once('exit', () => resolve(null));
    holder.stdout.once('data', () => resolve(() => holder.stdin.end()));
  });
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
