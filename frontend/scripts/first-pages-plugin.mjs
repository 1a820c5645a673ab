import { readFileSync } from 'node:fs';
import HtmlWebpackPlugin from 'html-webpack-plugin';

const NAME = 'FirstPagesPlugin';
const TABLE = new URL('../src/app/first-pages.json', import.meta.url);

const EARLY = /\/early\.[^/]+\.js$/;

const preload = (attributes) => `<link rel="preload" ${attributes}>`;
const preloadFont = (file) => preload(`href="/${file}" as="font" type="font/woff2" crossorigin`);
const preloadFile = (file) => preload(`href="/${file}" as="${file.endsWith('.css') ? 'style' : 'script'}"`);

/** The files that every page shows at once. */
const SHOWN_FONTS = /\.core\.[^.]+\.woff2$/;

const preloadRead = (path) => preload(`href="${path}" as="fetch" crossorigin="use-credentials"`);

/**
 * A visitor's page carries a mark, so that the browser does not request the user. A member's page requests the user
 * and the public settings at once.
 */
const MARKS = {
  visitor: '<meta name="session" content="none">',
  member: preloadRead('/api/auth/user') + preloadRead('/api/config'),
};

/**
 * Writes an HTML page for each address with its own code, one for visitors and one for members, so that the browser
 * loads this code beside the common script instead of after it. The server chooses the file. `index.html` alone
 * works as well.
 */
export class FirstPagesPlugin {
  apply(compiler) {
    compiler.hooks.compilation.tap(NAME, (compilation) => {
      const hooks = HtmlWebpackPlugin.getCompilationHooks(compilation);
      hooks.alterAssetTags.tap(NAME, (page) => {
        for (const { attributes } of page.assetTags.scripts) {
          // The script runs as soon as it has loaded, while the others still load.
          if (EARLY.test(attributes.src)) Object.assign(attributes, { defer: false, async: true });
          // Without this the browser would load the deferred script, which everything waits for, after all
          // preloads.
          else attributes.fetchpriority = 'high';
        }
        return page;
      });
      hooks.beforeEmit.tap(NAME, (page) => {
        this.write(compiler, compilation, page.html);
        return page;
      });
    });
  }

  write(compiler, compilation, html) {
    const common = new Set(compilation.namedChunkGroups.get('main').getFiles());
    const fonts = Object.keys(compilation.assets).filter((file) => SHOWN_FONTS.test(file));
    const table = JSON.parse(readFileSync(TABLE, 'utf8'));
    for (const [who, addresses] of Object.entries(table)) {
      for (const [address, chunk] of Object.entries(addresses)) {
        const files = compilation.namedChunkGroups.get(chunk).getFiles();
        const own = files.filter((file) => /\.(js|css)$/.test(file) && !common.has(file));
        const head = [MARKS[who], ...fonts.map(preloadFont), ...own.map(preloadFile)].join('');
        const written = new compiler.webpack.sources.RawSource(html.replace('</head>', `${head}</head>`));
        compilation.emitAsset(`pages/${who}/${address}.html`, written);
      }
    }
  }
}
