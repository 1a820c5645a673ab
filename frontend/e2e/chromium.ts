import { existsSync } from 'node:fs';
import path from 'node:path';

/** The headless shell needs the least CPU time, but it shows no notifications. */
const SHELL = 'chromium-headless-shell';
const WHOLE = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The first of these programs in PATH. */
function programOf(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders.flatMap((folder) => names.map((name) => path.join(folder, name))).find(existsSync);
}

/**
 * The options with which the system's Chromium starts: the program that the variable CHROMIUM names, otherwise the first
 * one found in PATH. `isWhole` demands one that shows notifications.
 */
export function systemChromium(isWhole = false) {
  const found = isWhole
    ? (programOf(WHOLE) ?? process.env.CHROMIUM)
    : (process.env.CHROMIUM ?? programOf([SHELL, ...WHOLE]));
  if (!found)
    throw new Error('No Chromium found: install one (on Debian: apt-get install chromium) or set CHROMIUM.');
  return {
    executablePath: found,
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  };
}
