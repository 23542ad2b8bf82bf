/** The files that an app's page loads: its script, bundled once per process, its style and its HTML. */
import { build } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

type Files = ReadonlyMap<string, readonly [type: string, body: string]>;

const HTML = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Vault - Obsidian</title><link rel="stylesheet" href="app.css"><link rel="icon" href="data:,"></head>
<body class="theme-light"><script src="page.js"></script></body></html>
`;

/** Node's modules that are pure: packages for browsers take their place. */
const STANDING_IN = { 'node:buffer': 'buffer/', 'node:events': 'events/', 'node:path': 'path-browserify', 'node:stream': 'readable-stream' };

let files: Promise<Files> | undefined;

export function pageFiles(): Promise<Files> {
  files ??= makeFiles();
  return files;
}

async function makeFiles(): Promise<Files> {
  const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  const { outputFiles } = await build({ entryPoints: [here('page.ts')], bundle: true, write: false, format: 'iife', platform: 'browser', target: 'es2023', alias: STANDING_IN, define: { global: 'window' } });
  return new Map([
    ['index.html', ['text/html', HTML]],
    ['page.js', ['text/javascript', outputFiles[0]!.text]],
    ['app.css', ['text/css', await readFile(here('app.css'), 'utf8')]],
  ] as const);
}
