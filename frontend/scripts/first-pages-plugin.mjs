import { readFileSync } from 'node:fs';
import HtmlWebpackPlugin from 'html-webpack-plugin';

const NAME = 'FirstPagesPlugin';
const TABLE = new URL('../src/app/first-pages.json', import.meta.url);

const EARLY = /\/early\.[^/]+\.js$/;

const preload = (attributes) => `<link rel="preload" ${attributes}>`;
const preloadFont = (file) => preload(`href="/${file}" as="font" type="font/woff2" crossorigin`);
const preloadFile = (file) => preload(`href="/${file}" as="${file.endsWith('.css') ? 'style' : 'script'}"`);

/** What every page shows at once. */
const SHOWN_FONTS = /\.core\.[^.]+\.woff2$/;

const preloadRead = (path) => preload(`href="${path}" as="fetch" crossorigin="use-credentials"`);

/**
 * A visitor's page says that it is one, and then nobody is asked who is signed in; a member's page asks at once, and
 * for what its money is called.
 */
const MARKS = {
  visitor: '<meta name="session" content="none">',
  member: preloadRead('/api/auth/user') + preloadRead('/api/config'),
};

/**
 * Writes the page once for each address whose code differs, for visitors and for members, so that a browser can fetch
 * that code beside the common script instead of after it. The server picks the file; `index.html` alone works as well.
 */
export class FirstPagesPlugin {
  apply(compiler) {
    compiler.hooks.compilation.tap(NAME, (compilation) => {
      const hooks = HtmlWebpackPlugin.getCompilationHooks(compilation);
      hooks.alterAssetTags.tap(NAME, (page) => {
        for (const { attributes } of page.assetTags.scripts) {
          // It runs as soon as it has come, beside the others' downloads.
          if (EARLY.test(attributes.src)) Object.assign(attributes, { defer: false, async: true });
          // Without this a deferred script, on which all else waits, comes after all that is preloaded.
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
