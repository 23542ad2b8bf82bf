/**
 * The esbuild plugin behind `virtual:page-assets`: the page's script and style, bundled, and its HTML, as three texts. So
 * the host is one program that serves its page from memory, whatever folder it was started in.
 */
import { build } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** @param {string} root the project's folder */
export function pageAssets(root) {
  const page = join(root, 'src', 'host', 'page');
  return {
    name: 'page-assets',
    setup(setup) {
      setup.onResolve({ filter: /^virtual:page-assets$/ }, ({ path }) => ({ path, namespace: 'page-assets' }));
      setup.onLoad({ filter: /.*/, namespace: 'page-assets' }, async () => {
        const [html, css, js] = await Promise.all([
          readFile(join(page, 'index.html'), 'utf8'),
          bundle(join(page, 'page.css')),
          bundle(join(page, 'page.ts')),
        ]);
        return { contents: `export const html = ${JSON.stringify(html)};\nexport const css = ${JSON.stringify(css)};\nexport const js = ${JSON.stringify(js)};\n`, loader: 'js' };
      });
    },
  };
}

async function bundle(entry) {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2023',
    minify: true,
    legalComments: 'none',
    logLevel: 'silent', // the outer build reports the error
  });
  return outputFiles[0].text;
}
