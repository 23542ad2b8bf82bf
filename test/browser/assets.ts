/** The page and the views as a browser takes them, bundled once per process by the same plugin as the build. */
import { build, type Plugin } from 'esbuild';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Assets { readonly html: string; readonly css: string; readonly js: string }

/** The page's three texts. */
export async function pageTexts(): Promise<Assets> {
  const { pageAssets } = (await import(new URL('../../.config/page-assets.mjs', import.meta.url).href)) as { pageAssets: (root: string) => Plugin };
  const { outputFiles } = await build({
    stdin: { contents: "export * from 'virtual:page-assets';", resolveDir: root }, plugins: [pageAssets(root)], bundle: true, write: false, format: 'esm',
  });
  return (await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]!.contents).toString('base64')}`)) as Assets;
}

/** The views as one script that puts them on `window.views`, for tests that draw a single view. */
export async function viewsScript(): Promise<string> {
  const { outputFiles } = await build({ entryPoints: [`${root}test/browser/views-entry.ts`], bundle: true, write: false, format: 'iife', target: 'es2023' });
  return outputFiles[0]!.text;
}
