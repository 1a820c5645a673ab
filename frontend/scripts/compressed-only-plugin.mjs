import { existsSync, unlinkSync } from 'node:fs';
import path from 'node:path';

const NAME = 'CompressedOnlyPlugin';

/**
 * Deletes each written file that has a compressed form. The binary then contains the compressed forms alone. The server
 * unpacks a file for the rare client that accepts no compression.
 */
export class CompressedOnlyPlugin {
  apply(compiler) {
    compiler.hooks.afterEmit.tap(NAME, ({ outputOptions, assets }) => {
      for (const file of Object.keys(assets)) {
        const written = path.join(outputOptions.path, file);
        if (existsSync(`${written}.gz`)) unlinkSync(written);
      }
    });
  }
}
