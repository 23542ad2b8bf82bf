/**
 * Makes the types that a plugin's author copies, from their sources: `src/api/model-hub-api.d.ts`, and for their tests
 * `src/authors/contract.d.mts`. With `--check` it writes nothing and fails if a file is not what its source gives.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const HEADER = `/**
 * The API of Model Hub for other plugins. Copy this file into your plugin, beside on-hub-ready.ts.
 *
 * Made from the source by \`npm run api\`. Do not edit it: change src/core/types.ts.
 */
`;

const MADE = {
  'src/api/model-hub-api.d.ts': `${HEADER}\n${types()}\n${entrance()}`,
  'src/authors/contract.d.mts': declarations('src/authors/contract.ts'),
};
for (const [target, made] of Object.entries(MADE)) {
  if (!process.argv.includes('--check')) writeFileSync(join(root, target), made);
  else if (readText(target) !== made) {
    process.stderr.write(`${target} is not what the source gives. Run npm run api.\n`);
    process.exitCode = 1;
  }
}

/** Everything of `types.ts`, without its opening comment, which is about that file. */
function types() {
  return declarations('src/core/types.ts').replace(/^\/\*\*[\s\S]*?\*\/\n/, '');
}

/** The function that a plugin calls, and the type of its plugin argument. */
function entrance() {
  const text = declarations('src/api/on-hub-ready.ts');
  const file = ts.createSourceFile('on-hub-ready.d.ts', text, ts.ScriptTarget.Latest, true);
  const wanted = ['HubConsumer', 'onHubReady'];
  return wanted.map((name) => {
    const found = file.statements.find((statement) => statement.name?.text === name);
    if (!found) throw new Error(`src/api/on-hub-ready.ts declares no ${name}.`);
    return `${text.slice(found.getFullStart(), found.getEnd()).trim()}\n`;
  }).join('');
}

function declarations(file) {
  const { outputText, diagnostics } = ts.transpileDeclaration(readText(file), {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2023, isolatedDeclarations: true, strict: true },
  });
  if (diagnostics.length > 0) throw new Error(diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')).join('\n'));
  return outputText;
}

function readText(file) {
  try {
    return readFileSync(join(root, file), 'utf8').replaceAll('\r\n', '\n');
  } catch {
    return '';
  }
}
