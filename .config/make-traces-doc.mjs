/**
 * `npm run traces-doc`: writes the table of docs/traces.md, between its two marks, from the registry of attributes. With `--check`
 * it writes nothing and fails if the table is not what the registry gives.
 */
import { build } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const target = join(root, 'docs', 'traces.md');
const bundle = join(root, 'build', 'run', 'attributes.mjs');
const BEGIN = '<!-- the table, made by npm run traces-doc -->\n';
const END = '<!-- the end of the table -->';

await build({ entryPoints: [join(root, 'otel', 'attributes.ts')], outfile: bundle, format: 'esm', platform: 'node', target: 'node20', logLevel: 'warning' });
const { ATTRIBUTES, RESOURCE, TELEMETRY_SCHEMA } = await import(pathToFileURL(bundle).href);

const text = readFileSync(target, 'utf8');
const begin = text.indexOf(BEGIN);
const end = text.indexOf(END);
if (begin < 0 || end < begin) throw new Error('docs/traces.md has lost the marks around its table.');
const made = text.slice(0, begin + BEGIN.length) + tables() + text.slice(end);

if (!process.argv.includes('--check')) writeFileSync(target, made);
else if (text !== made) {
  process.stderr.write('The table of docs/traces.md is not what the registry of attributes gives. Run npm run traces-doc.\n');
  process.exit(1);
}

function tables() {
  const travels = Object.entries(ATTRIBUTES).filter(([, { reach }]) => reach !== 'local');
  const rows = travels.map(([key, spec]) => `| \`${key}\` | ${typeOf(spec)} | ${(spec.required ?? []).join(', ') || '–'} | ${(spec.optional ?? []).join(', ') || '–'} | ${spec.about} |`);
  const resource = Object.entries(RESOURCE).map(([key, about]) => `| \`${key}\` | ${about} |`);
  return [
    `Of every span, as its resource (registry ${TELEMETRY_SCHEMA}):`, '', '| attribute | what |', '|---|---|', ...resource, '',
    'Of the spans:', '', '| attribute | type and values | always on | where it applies | what |', '|---|---|---|---|---|', ...rows, '',
  ].join('\n');
}

function typeOf({ type, values }) {
  return values ? values.map((value) => `\`${value}\``).join(' ') : type;
}
