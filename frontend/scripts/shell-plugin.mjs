const NAME = 'ShellPlugin';
const PAGE = /^assets\/offline\..*\.html$/;
const FILE = /(?<=")\/assets\/[^"]+/g;

/** Writes the paths of the offline page, and of all files that it names, into the service worker. */
export class ShellPlugin {
  apply(compiler) {
    const { Compilation, sources } = compiler.webpack;
    compiler.hooks.thisCompilation.tap(NAME, (compilation) => {
      // After the HTML page is written, and before webpack replaces the provisional hashes in all files by the final ones.
      const stage = Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_INLINE + 1;
      compilation.hooks.processAssets.tap({ name: NAME, stage }, (assets) => {
        const page = Object.keys(assets).find((file) => PAGE.test(file));
        const files = new Set(String(assets[page].source()).match(FILE));
        const shell = JSON.stringify([`/${page}`, ...files]);
        compilation.updateAsset('sw.js', (worker) => {
          const text = String(worker.source()).replace(/(['"])__SHELL__\1/g, () => shell);
          return new sources.RawSource(text);
        });
      });
    });
  }
}
