// Measures the pages with Lighthouse's profile of a phone on a slow connection, and prints each figure with its limit.
// A figure is the median of three loads from a real server with the demo's bets. The exit code is 1 if a figure misses
// its limit.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const REPORTS = path.join(HERE, '../test-results/lighthouse');
const BINARY = path.resolve(process.env.BOLTS_BIN ?? path.join(HERE, '../../target/debug/bolts'));
const RUNS = Number(process.env.RUNS ?? 3);
const LOST_RECORDINGS = 3;
const START_LIMIT_MS = 60_000;
/**
 * The smallest benchmark index of a machine that Lighthouse can slow down to the speed of a phone (Lighthouse's
 * docs/throttling.md).
 */
const SUPPOSED_INDEX = 1500;

const score = (category) => (result) => Math.round((result.categories[category].score ?? 0) * 100);
const figure = (audit) => (result) => result.audits[audit].numericValue;
const BARS = [
  { name: 'performance', read: score('performance'), least: 95 },
  { name: 'accessibility', read: score('accessibility'), least: 100 },
  { name: 'best practices', read: score('best-practices'), least: 100 },
  { name: 'LCP', read: figure('largest-contentful-paint'), most: 2300, unit: 'ms' },
  { name: 'CLS', read: figure('cumulative-layout-shift'), most: 0.02, digits: 3 },
  { name: 'TBT', read: figure('total-blocking-time'), most: 200, unit: 'ms' },
];

function fail(why) {
  process.stderr.write(`${why}\n`);
  process.exit(2);
}

function chromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const found = folders.flatMap((folder) => names.map((name) => path.join(folder, name))).find(existsSync);
  return found ?? fail('No Chromium found: install one, or set CHROMIUM.');
}

/** Fills the database with the demo's users and bets. Returns the password of these users. */
function seed(database) {
  const demo = spawnSync(BINARY, ['demo', ...database], { encoding: 'utf8' });
  const password = /password\s+(\S+)/.exec(demo.stdout)?.[1];
  return password ?? fail(`The demo was not made:\n${demo.stdout}${demo.stderr}`);
}

function serve(database) {
  const server = spawn(BINARY, ['serve', ...database, '--bind', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, BOLTS_LOG: 'warn' },
  });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error('the server printed no address in time')),
      START_LIMIT_MS,
    );
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    createInterface({ input: server.stdout }).on('line', (line) => {
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line);
      if (!address) return;
      clearTimeout(timer);
      resolve({ server, origin: address[0] });
    });
  });
}

async function signIn(origin, password) {
  const answer = await fetch(`${origin}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: origin },
    body: JSON.stringify({ email: 'ada@example.com', password }),
  });
  if (!answer.ok) throw new Error(`the sign-in was answered with ${answer.status}`);
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

/** The pages to measure: the public pages as a visitor sees them, and the pages that a member opens most. */
async function pagesOf(origin, cookie) {
  const bets = await (await fetch(`${origin}/api/bets/public?status=pending`)).json();
  // The member is the arbiter of some of the demo's bets. Most members are not.
  const bet = `/bet/${bets.find(({ arbiter }) => !arbiter).id}`;
  return [
    { name: 'landing', path: '/' },
    { name: 'auth', path: '/auth' },
    { name: 'bet (visitor)', path: bet },
    { name: 'marketplace', path: '/marketplace', cookie },
    { name: 'bet (member)', path: bet, cookie },
    { name: 'portfolio', path: '/portfolio', cookie },
    { name: 'create', path: '/create-bet', cookie },
    { name: 'achievements', path: '/achievements', cookie },
    { name: 'account', path: '/account', cookie },
  ];
}

async function load(chrome, origin, page) {
  const { lhr } = await lighthouse(origin + page.path, {
    port: chrome.port,
    logLevel: 'error',
    onlyCategories: ['performance', 'accessibility', 'best-practices'],
    ...(page.cookie ? { extraHeaders: { Cookie: page.cookie } } : {}),
  });
  return lhr;
}

/** Loads a page several times. If the browser has lost the recording of a load, the load is repeated. */
async function measure(chrome, origin, page) {
  const results = [];
  for (let tries = 0; results.length < RUNS; tries += 1) {
    const result = await load(chrome, origin, page);
    if (!result.runtimeError) results.push(result);
    else if (tries >= RUNS + LOST_RECORDINGS) throw new Error(`${page.name}: ${result.runtimeError.message}`);
  }
  return results;
}

const median = (figures) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)];

/** Prints each figure with its limit. Returns one line for each missed limit. */
function report(page, results) {
  const missed = [];
  for (const bar of BARS) {
    const value = median(results.map(bar.read));
    const ok = bar.least !== undefined ? value >= bar.least : value <= bar.most;
    const limit = bar.least !== undefined ? `at least ${bar.least}` : `at most ${bar.most}`;
    const shown = value.toFixed(bar.digits ?? 0);
    const line = `${page.name.padEnd(14)} ${bar.name.padEnd(15)} ${shown.padStart(6)} ${limit} ${bar.unit ?? ''}`;
    process.stdout.write(`${ok ? 'ok    ' : 'MISSED'}  ${line.trimEnd()}\n`);
    if (!ok) missed.push(line);
  }
  const index = median(results.map((result) => result.environment.benchmarkIndex));
  if (index < SUPPOSED_INDEX)
    process.stdout.write(
      `        ${page.name}: this machine's index was ${Math.round(index)}, and at least ${SUPPOSED_INDEX} is supposed: LCP and TBT are a slower phone's\n`,
    );
  return missed;
}

/** Prints the failed audits of the two scores that must be 100, and the causes of layout shifts. */
function explain(page, result) {
  for (const category of ['accessibility', 'best-practices']) {
    for (const { id, weight } of result.categories[category].auditRefs) {
      const audit = result.audits[id];
      if (weight === 0 || audit.score === null || audit.score === 1) continue;
      process.stdout.write(`        ${page.name}: ${audit.title} (${id})\n`);
    }
  }
  for (const { score, node } of result.audits['layout-shifts']?.details?.items ?? [])
    if (score > 0.005)
      process.stdout.write(`        ${page.name}: ${score.toFixed(3)} by ${node?.selector}\n`);
}

if (!existsSync(BINARY)) fail(`No server at ${BINARY}: build it, or set BOLTS_BIN.`);
const folder = mkdtempSync(path.join(tmpdir(), 'bolts-bars-'));
const database = ['--database-url', `sqlite://${path.join(folder, 'bolts.db')}`];
const password = seed(database);
const { server, origin } = await serve(database);
const chrome = await launch({
  chromePath: chromium(),
  chromeFlags: ['--headless=new', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--no-first-run'],
});
const missed = [];
try {
  mkdirSync(REPORTS, { recursive: true });
  const only = process.env.PAGES?.split(',');
  for (const page of await pagesOf(origin, await signIn(origin, password))) {
    if (only && !only.includes(page.name)) continue;
    const results = await measure(chrome, origin, page);
    const last = results.at(-1);
    writeFileSync(path.join(REPORTS, `${page.name.replace(/\W+/g, '-')}.json`), JSON.stringify(last));
    missed.push(...report(page, results));
    explain(page, last);
  }
} finally {
  chrome.kill();
  server.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`The reports are in ${path.relative(process.cwd(), REPORTS)}\n`);
process.exit(missed.length > 0 ? 1 : 0);
