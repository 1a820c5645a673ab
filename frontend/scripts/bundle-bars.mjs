// Compares the sizes of the built files with their limits: the initial load of every visitor, and the extra load of
// each route.
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const INITIAL = ['early', 'main'];
const INITIAL_KB = 109;
const ROUTE_KB = {
  landing: 20,
  share: 20,
  portfolio: 20,
  achievements: 20,
  bet: 35,
  market: 35,
  auth: 35,
  admin: 35,
  create: 60,
  companion: 20,
  notifications: 10,
  welcome: 35,
  curves: 30,
  'your-turn': 10,
  'share-qr': 15,
  ending: 10,
  timeline: 10,
  arbiter: 25,
  messages: 20,
  account: 60,
  newPassword: 60,
  security: 20,
  offline: 10,
  sw: 10,
};
/** Files that a route loads only while it is used. They count as part of the route. */
const PARTS = {
  create: ['day-picker'],
  bet: ['dispute'],
  account: ['account-checks', 'late', 'qr-code'],
  auth: ['auth-checks'],
  newPassword: ['account-checks'],
  welcome: ['account-checks'],
};

const groups = JSON.parse(
  readFileSync(path.join(root, 'node_modules/.cache/bolts/chunk-groups.json'), 'utf8'),
);
const barred = [...INITIAL, ...Object.keys(ROUTE_KB), ...Object.values(PARTS).flat()];
const missing = barred.filter((name) => !groups[name]);
const unknown = Object.keys(groups).filter((name) => !barred.includes(name));
if (missing.length > 0 || unknown.length > 0) {
  // Each chunk must have a limit, and each limit a chunk. Otherwise a renamed or new chunk would have no limit.
  process.stderr.write(
    `Chunks without a bar: ${unknown}; bars without a chunk: ${missing}. Amend the table.\n`,
  );
  process.exit(2);
}

const weighed = (files) => files.filter((file) => /\.(js|css)$/.test(file));
const kilobytes = (files) => files.reduce((sum, file) => sum + size(path.join(root, 'dist', file)), 0) / 1000;
/** The compressed size in bytes. The build keeps the compressed form alone, except of files that are too small. */
const size = (file) =>
  existsSync(`${file}.gz`) ? statSync(`${file}.gz`).size : gzipSync(readFileSync(file), { level: 9 }).length;

const initial = new Set(INITIAL.flatMap((name) => weighed(groups[name])));
let over = false;
function report(name, figure, limit) {
  const bad = figure > limit;
  over ||= bad;
  process.stdout.write(
    `${bad ? 'OVER' : 'ok  '}  ${name.padEnd(14)} ${figure.toFixed(1).padStart(6)} KB  limit ${limit} KB\n`,
  );
}

report('initial', kilobytes([...initial]), INITIAL_KB);
for (const [route, limit] of Object.entries(ROUTE_KB)) {
  const files = new Set([route, ...(PARTS[route] ?? [])].flatMap((name) => weighed(groups[name])));
  report(`+ ${route}`, kilobytes([...files].filter((file) => !initial.has(file))), limit);
}
process.exit(over ? 1 : 0);
