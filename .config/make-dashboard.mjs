/**
 * `npm run dashboard`: writes Grafana's dashboard, as JSON, from otel/grafana/dashboard.ts. With `--check` it writes nothing and fails
 * if the file is not what the source gives.
 */
import { build } from 'esbuild';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const target = join(root, 'otel', 'grafana', 'dashboards', 'model-hub.json');
const bundle = join(root, 'build', 'run', 'dashboard.mjs');

await build({ entryPoints: [join(root, 'otel', 'grafana', 'dashboard.ts')], outfile: bundle, bundle: true, format: 'esm', platform: 'node', target: 'node20', logLevel: 'warning' });
const { dashboard } = await import(pathToFileURL(bundle).href);
const made = `${JSON.stringify(dashboard(), undefined, 2)}\n`;

if (!process.argv.includes('--check')) {
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, made);
} else if (!existsSync(target) || readFileSync(target, 'utf8') !== made) {
  process.stderr.write('otel/grafana/dashboards/model-hub.json is not what its source gives. Run npm run dashboard.\n');
  process.exit(1);
}
