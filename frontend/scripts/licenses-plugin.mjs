import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const NAME = 'LicensesPlugin';
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** Writes the licenses of all packages of the pages to one file, because the minifier removes them from the scripts. */
export class LicensesPlugin {
  apply(compiler) {
    compiler.hooks.thisCompilation.tap(NAME, (compilation) => {
      const folders = new Set();
      compilation.hooks.finishModules.tap(NAME, (modules) => {
        for (const { resource } of modules) folders.add(PACKAGE.exec(resource)?.[0]);
      });
      compilation.hooks.processAssets.tap(NAME, () => {
        folders.delete(undefined);
        const text = [...folders].sort().map(licenseOf).join('\n\n');
        compilation.emitAsset('licenses.txt', new compiler.webpack.sources.RawSource(text));
      });
    });
  }
}

function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return `${name} ${version}, ${license}\n\n${file ? readFileSync(path.join(folder, file), 'utf8') : ''}`;
}
