/**
 * The files that an author copies: two into the plugin, as they stand in the source, and the contract test as one module
 * with its types, which needs nothing but a JavaScript of today.
 */
import { build as bundle } from 'esbuild';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const AS_THEY_ARE = ['src/api/on-hub-ready.ts', 'src/api/model-hub-api.d.ts'];

/** The files of the folder, by name. Throws esbuild's error, which it has printed, if the sources do not build. */
export async function forAuthors(root) {
  const { outputFiles, warnings } = await bundle({
    absWorkingDir: root,
    entryPoints: ['src/authors/contract.ts'],
    outfile: 'contract.mjs',
    bundle: true,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    format: 'esm',
    target: 'es2023',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'inline',
    logLevel: 'warning',
    write: false,
  });
  if (warnings.length > 0) throw new Error('The build of the contract test has warnings; it must have none.');
  const asTheyAre = AS_THEY_ARE.map((file) => [basename(file), textOf(root, file)]);
  // There the API's types lie beside it.
  const types = textOf(root, 'src/authors/contract.d.mts').replace("'../api/model-hub-api.d.ts'", "'./model-hub-api'");
  return { 'contract.mjs': outputFiles[0].text, 'contract.d.mts': types, ...Object.fromEntries(asTheyAre) };
}

function textOf(root, file) {
  return readFileSync(join(root, file), 'utf8');
}
