import { createRequire } from 'node:module';
import HtmlWebpackPlugin from 'html-webpack-plugin';

const NAME = 'FirstPagesPlugin';
const PAGE = 'index.html';
const EARLY = /\/early\.[^/]+\.js$/;

const preload = (attributes) => `<link rel="preload" ${attributes}>`;
const preloadFont = (file) => preload(`href="/${file}" as="font" type="font/woff2" crossorigin`);
const preloadRead = (path) => preload(`href="${path}" as="fetch" crossorigin="use-credentials"`);
const linkFile = (file) =>
  file.endsWith('.css') ? `<link rel="stylesheet" href="/${file}">` : preload(`href="/${file}" as="script"`);

/** The font files that every page needs at once. */
const SHOWN_FONTS = /\.core\.[^.]+\.woff2$/;

/**
 * Writes the HTML pages of the table in `src/app/first-pages.ts`, for visitors and for members. Each HTML page names
 * the code of its page, so that the browser loads this code in parallel with the common script instead of after it. The
 * server chooses the HTML page. The site also works with `index.html` alone.
 */
export class FirstPagesPlugin {
  /** `bundle` is the output of `src/prerender.tsx`. */
  constructor(bundle) {
    this.bundle = bundle;
  }

  apply(compiler) {
    compiler.hooks.compilation.tap(NAME, (compilation) => {
      const hooks = HtmlWebpackPlugin.getCompilationHooks(compilation);
      hooks.alterAssetTags.tap(NAME, (page) => {
        if (page.outputName !== PAGE) return page;
        for (const { attributes } of page.assetTags.scripts) {
          // The early script must run before the page shows, so it is not deferred.
          if (EARLY.test(attributes.src)) attributes.defer = false;
          // The whole page waits for this deferred script. Without the priority, the browser would load the script
          // after all preloads.
          else attributes.fetchpriority = 'high';
        }
        return page;
      });
      hooks.beforeEmit.tapPromise(NAME, async (page) => {
        if (page.outputName === PAGE) await this.write(compiler, compilation, page.html);
        return page;
      });
    });
  }

  async write(compiler, compilation, html) {
    const common = new Set(compilation.namedChunkGroups.get('main').getFiles());
    // Sorted, because webpack lists the files in the order in which they were ready.
    const fonts = Object.keys(compilation.assets)
      .filter((file) => SHOWN_FONTS.test(file))
      .sort();
    const { firstPages, MEMBER_ANSWERS, render } = createRequire(import.meta.url)(this.bundle);
    for (const [who, addresses] of Object.entries(firstPages)) {
      for (const [address, first] of Object.entries(addresses)) {
        const { page, answers = [], lists = [], beside, renderedAt: path } = first;
        const chunks = [page, beside].filter(Boolean).map((name) => compilation.namedChunkGroups.get(name));
        const files = new Set(chunks.flatMap((chunk) => chunk.getFiles()));
        const own = [...files].filter((file) => /\.(js|css)$/.test(file) && !common.has(file));
        const member = who === 'member' ? MEMBER_ANSWERS : [];
        const head = [...member.map(preloadRead), ...fonts.map(preloadFont), ...own.map(linkFile)];
        const visitor = who === 'visitor' ? ' data-visitor' : '';
        const reads = `data-answers="${answers.join(' ')}" data-lists="${lists.join(' ')}"`;
        const content = path ? ` data-path="${path}">${await render(first, path)}` : '>';
        const written = html
          .replace('<html', () => `<html data-page="${page}"${visitor} ${reads}`)
          .replace('</head>', () => `${head.join('')}</head>`)
          .replace('id="root">', () => `id="root"${content}`);
        const source = new compiler.webpack.sources.RawSource(written);
        compilation.emitAsset(`pages/${who}/${address}.html`, source);
      }
    }
  }
}
