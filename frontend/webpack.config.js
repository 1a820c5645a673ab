import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { constants as zlib } from 'node:zlib';
import CompressionPlugin from 'compression-webpack-plugin';
import CssMinimizerPlugin from 'css-minimizer-webpack-plugin';
import HtmlWebpackPlugin from 'html-webpack-plugin';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import MinimizerPlugin from 'minimizer-webpack-plugin';
import webpack from 'webpack';
import { CompressedOnlyPlugin } from './scripts/compressed-only-plugin.mjs';
import { FirstPagesPlugin } from './scripts/first-pages-plugin.mjs';
import { LicensesPlugin } from './scripts/licenses-plugin.mjs';
import { ShellPlugin } from './scripts/shell-plugin.mjs';

const root = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
const CACHE = path.join(root, 'node_modules/.cache/bolts');
const EXTENSIONS = ['.tsx', '.ts', '.js'];
const ROUTER = 'node_modules/react-router/dist/production/index.mjs';
/** Without HTML, because the server writes tags into each page and compresses it afterwards. */
const COMPRESSIBLE = /\.(js|css|svg|txt|json|webmanifest)$/;

/**
 * Writes a list of the files that each entry and route loads. scripts/bundle-bars.mjs reads this list to check the
 * sizes.
 */
class ChunkGroupsPlugin {
  apply(compiler) {
    compiler.hooks.done.tap('ChunkGroupsPlugin', ({ compilation }) => {
      const groups = Object.fromEntries(
        compilation.chunkGroups.map((group, index) => [group.name ?? `unnamed-${index}`, group.getFiles()]),
      );
      mkdirSync(CACHE, { recursive: true });
      writeFileSync(path.join(CACHE, 'chunk-groups.json'), JSON.stringify(groups, null, 2));
    });
  }
}

export default (_env, argv) =>
  argv.mode === 'production' ? [prerenderConfig(), pagesConfig(true)] : pagesConfig(false);

/** Builds the pages as a Node program. FirstPagesPlugin calls this program to render pages to HTML. */
function prerenderConfig() {
  return {
    name: 'prerender',
    target: 'node',
    context: root,
    entry: './src/prerender.tsx',
    output: {
      path: CACHE,
      filename: 'prerender.cjs',
      chunkFilename: 'prerender.[name].cjs',
      library: { type: 'commonjs2' },
    },
    resolve: { extensions: EXTENSIONS },
    module: {
      rules: [
        scripts(true),
        {
          test: /\.css$/,
          loader: 'css-loader',
          options: { modules: { ...cssModules(true), exportOnlyLocals: true } },
        },
      ],
    },
    optimization: { minimize: false },
    stats: 'errors-warnings',
  };
}

function pagesConfig(production) {
  return {
    name: 'pages',
    dependencies: production ? ['prerender'] : [],
    context: root,
    entry: {
      main: './src/main.tsx',
      early: './src/early.ts',
      offline: './src/pwa/offline.ts',
      // Browsers look for a newer service worker at the same address, so its name has no hash.
      sw: { import: './src/pwa/sw.ts', filename: '[name].js' },
    },
    // Development uses external source maps, because webpack's default kind needs eval, which the pages' security
    // policy forbids.
    devtool: production ? false : 'source-map',
    output: {
      path: path.join(root, 'dist'),
      publicPath: '/',
      filename: 'assets/[name].[contenthash:8].js',
      chunkFilename: 'assets/[name].[contenthash:8].js',
      assetModuleFilename: 'assets/[name].[contenthash:8][ext]',
      clean: true,
    },
    resolve: {
      extensions: EXTENSIONS,
      // The package exports only its development build, so the alias names the file of the production build.
      alias: production ? { 'react-router$': path.join(root, ROUTER) } : {},
    },
    module: {
      rules: [
        scripts(production),
        {
          test: /\.css$/,
          use: [
            MiniCssExtractPlugin.loader,
            { loader: 'css-loader', options: { modules: cssModules(production) } },
          ],
        },
        { test: /\.(woff2|svg|png)$/, type: 'asset/resource' },
        {
          test: /\.woff2$/,
          resourceQuery: /core/,
          generator: { filename: 'assets/[name].core.[contenthash:8][ext]' },
          use: './scripts/core-font-loader.cjs',
        },
      ],
    },
    plugins: [
      new HtmlWebpackPlugin({
        template: './src/index.html',
        scriptLoading: 'defer',
        chunks: ['main', 'early'],
        chunksSortMode: 'manual',
      }),
      new HtmlWebpackPlugin({
        template: './src/pwa/offline.ejs',
        filename: 'assets/offline.[contenthash:8].html',
        scriptLoading: 'defer',
        chunks: ['offline'],
      }),
      new HtmlWebpackPlugin({
        template: './src/pwa/manifest.webmanifest',
        filename: 'manifest.webmanifest',
        inject: false,
        minify: false,
      }),
      new ShellPlugin(),
      ...(production ? [new FirstPagesPlugin(path.join(CACHE, 'prerender.cjs'))] : []),
      // The banner `allFunctionsCalledOnLoad` tells the browser to compile the whole script in the background while it
      // loads. Otherwise the browser would compile each function at its first call.
      new webpack.BannerPlugin({
        banner: '//# allFunctionsCalledOnLoad',
        raw: true,
        test: /^assets\/main\..*\.js$/,
        stage: webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE + 1,
      }),
      new MiniCssExtractPlugin({
        filename: 'assets/[name].[contenthash:8].css',
        chunkFilename: 'assets/[name].[contenthash:8].css',
        ignoreOrder: true,
      }),
      new ChunkGroupsPlugin(),
      new LicensesPlugin(),
      ...(production ? compression() : []),
    ],
    optimization: {
      // Code that several pages share gets a separate file only if it is large, because each file costs a request.
      splitChunks: { minSize: 50_000 },
      minimizer: [
        new MinimizerPlugin({
          minify: MinimizerPlugin.swcMinify,
          extractComments: false,
          minimizerOptions: { format: { comments: false } },
        }),
        new CssMinimizerPlugin(),
      ],
    },
    performance: false,
    stats: production ? 'errors-warnings' : 'minimal',
    devServer: {
      host: '127.0.0.1',
      port: 8081,
      historyApiFallback: true,
      // The proxy does not change the Host header. The server compares it with the Origin header, and both must match.
      proxy: [{ context: ['/api'], target: 'http://127.0.0.1:8080', changeOrigin: false }],
    },
  };
}

function scripts(production) {
  const jsc = {
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic', development: !production } },
    target: 'es2022',
  };
  return { test: /\.tsx?$/, exclude: /node_modules/, loader: 'swc-loader', options: { jsc } };
}

function cssModules(production) {
  return {
    auto: /\.module\.css$/,
    namedExport: false,
    exportLocalsConvention: 'as-is',
    localIdentName: production ? '[hash:base64:6]' : '[name]_[local]',
  };
}

function compression() {
  const common = { test: COMPRESSIBLE, threshold: 512, minRatio: 0.95 };
  return [
    new CompressionPlugin({
      ...common,
      algorithm: 'gzip',
      filename: '[path][base].gz',
      compressionOptions: { level: 9 },
    }),
    new CompressionPlugin({
      ...common,
      algorithm: 'brotliCompress',
      filename: '[path][base].br',
      compressionOptions: { params: { [zlib.BROTLI_PARAM_QUALITY]: 11 } },
    }),
    new CompressedOnlyPlugin(),
  ];
}
