/** The documentation and the source say the same: codes, calls, code that compiles, links that lead somewhere. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { DECISIONS, MCP_SWITCH, PLUGIN_DEFAULT, SETTINGS } from '../../views/words.ts';
import { complaints } from '../support/compile.ts';
import { anchorsIn, blocksIn, firstColumn, linksIn, section } from './markdown.ts';

const root = resolve('.');
const page = (name: string): string => readFileSync(join(root, 'docs', `${name}.md`), 'utf8');
const types = ts.createSourceFile('types.ts', readFileSync('src/core/types.ts', 'utf8'), ts.ScriptTarget.Latest, true);

/** The words of a union in the source of the API. */
function union(name: string): readonly string[] {
  const found = types.statements.find((statement): statement is ts.TypeAliasDeclaration => ts.isTypeAliasDeclaration(statement) && statement.name.text === name);
  if (!found || !ts.isUnionTypeNode(found.type)) throw new Error(`There is no union ${name}.`);
  return found.type.types.map((type) => ((type as ts.LiteralTypeNode).literal as ts.StringLiteral).text);
}

function members(name: string): readonly string[] {
  const found = types.statements.find((statement): statement is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(statement) && statement.name.text === name);
  return found!.members.map((member) => (member.name as ts.Identifier).text);
}

/** Each `details: { reason: '…' }` of the source that is no reason of a refusal. */
function otherReasons(): readonly string[] {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const found = sources.flatMap((file) => [...readFileSync(join('src', file), 'utf8').matchAll(/details: \{ reason: '([^']+)'/g)].map(([, reason]) => reason!));
  return [...new Set(found)].sort();
}

describe('docs/refusal-codes.md', () => {
  it('F162 F016 names every code that an error may carry, and no other', () => {
    expect(firstColumn(section(page('refusal-codes'), 'Codes'))).toEqual(union('ErrorCode'));
  });

  it('F162 F154 names every reason of tool-denied, and no other', () => {
    expect([...firstColumn(section(page('refusal-codes'), 'Reasons of tool-denied'))].sort()).toEqual([...union('DenyReason')].sort());
  });

  it('F162 names every other reason that the source gives', () => {
    expect([...firstColumn(section(page('refusal-codes'), 'Reasons of other codes'))].sort()).toEqual(otherReasons());
  });
});

describe('docs/api.md', () => {
  it('F016 has a heading for each call of the API, in its order', () => {
    expect(anchorsIn(page('api')).slice(1)).toEqual(['onHubReady', ...members('HubApi')].map((name) => name.toLowerCase()));
  });

  it('F162 names no code that there is not', () => {
    const written = [...page('api').matchAll(/`([a-z]+-[a-z-]+)`/g)].map(([, word]) => word!);
    expect(written.filter((word) => ![...union('ErrorCode'), ...union('DenyReason'), ...otherReasons()].includes(word))).toEqual([]);
  });
});

/** What the pieces of code on the page take for granted. */
const GRANTED = `
import type { HubApi, HubErrorShape, HubTool } from './model-hub-api';
import { onHubReady } from './on-hub-ready';
declare const hub: HubApi, id: string, app: object, addToShelf: HubTool;
declare const plugin: import('./model-hub-api').HubConsumer;
declare function note(text: string): void;
declare function keep(result: unknown, undo: string | undefined): void;
declare function pathOf(shelf: string): string;
declare function lastLine(shelf: string): Promise<string>;
declare function append(note: string, line: string): Promise<{ change: string }>;
declare function remembered(handle: string): Promise<{ shelf: string }>;
declare function takeBack(change: object): Promise<boolean>;
declare function allBooks(): Promise<string[]>;
declare function showButton(): void;
declare function hideButton(): void;
export {};
`;
const NEEDED = "import type { HubTool, UndoFunction } from './model-hub-api';\nexport declare const tools: readonly HubTool[];\nexport declare const undo: UndoFunction;";
const AUTHORS_FOLDER = join(root, 'dist/for-authors');

describe('docs/developers.md', () => {
  it('F016 F170 each piece of its code compiles beside the files that authors copy', () => {
    const blocks = blocksIn(page('developers')).filter(({ language }) => language === 'ts');
    expect(blocks.length).toBeGreaterThan(7);
    const files = Object.fromEntries(blocks.map(({ code }, at) => [`block-${at}.ts`, code.startsWith('import ') ? code : `${GRANTED.replaceAll(new RegExp(`, ${declared(code)}: HubTool`, 'g'), '')}{\n${code}}`]));
    expect(complaints({ folder: AUTHORS_FOLDER, files: { ...files, 'my-tools.ts': NEEDED } })).toEqual([]);
  });

  it('F170 those files compile with the settings that plugins commonly have', () => {
    const names = ['on-hub-ready.ts', 'model-hub-api.d.ts'];
    const files = Object.fromEntries(names.map((name) => [name, readFileSync(join(AUTHORS_FOLDER, name), 'utf8')]));
    expect(complaints({
      folder: AUTHORS_FOLDER, files,
      options: { strict: false, strictNullChecks: true, noImplicitAny: true, isolatedModules: true, skipLibCheck: false, target: ts.ScriptTarget.ES2018, lib: ['lib.dom.d.ts', 'lib.es2018.d.ts'] },
    })).toEqual([]);
  });

  it('F171 asks for versions of the API that there are', () => {
    expect(page('developers').match(/\| (0\.\d+) \|/g)).toEqual(['| 0.6 |', '| 0.9 |']);
  });
});

/** The tool that a piece of code declares, which must not be declared twice. */
function declared(code: string): string {
  return /^const (\w+): HubTool/.exec(code)?.[1] ?? 'nothing';
}

describe('docs/tools-and-approvals.md', () => {
  it('F027 F031 F036 F047 F048 F049 says the words that the user sees', () => {
    const text = page('tools-and-approvals');
    expect(firstWords(section(text, 'Settings'))).toEqual([...Object.values(SETTINGS)]);
    expect(firstWords(section(text, 'The question'))).toEqual([...Object.values(DECISIONS)]);
    for (const word of [PLUGIN_DEFAULT, MCP_SWITCH]) expect(text).toContain(word);
  });
});

/** The first column of a table, without its head. */
function firstWords(text: string): readonly string[] {
  return [...text.matchAll(/^\| ([A-Z][\w ]+) \|/gm)].map(([, word]) => word!);
}

describe('every page', () => {
  const pages = ['README.md', 'CHANGELOG.md', 'examples/books-plugin/README.md', ...readdirSync('docs').filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];

  it.each(pages)('%s has links that lead to files and headings that are there', (from) => {
    const broken = linksIn(readFileSync(from, 'utf8')).filter((target) => {
      if (/^\w+:/.test(target)) return false;
      const [path, anchor] = target.split('#') as [string, string | undefined];
      const file = path === '' ? resolve(from) : resolve(dirname(from), path);
      if (!existsSync(file) || relative(root, file).startsWith('..')) return true;
      return anchor !== undefined && !anchorsIn(readFileSync(file, 'utf8')).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('is reached from the README', () => {
    const reached = new Set(['README.md']);
    for (const from of reached) {
      if (!pages.includes(from)) continue;
      for (const target of linksIn(readFileSync(from, 'utf8'))) reached.add(relative(root, resolve(dirname(from), target.split('#')[0]!)));
    }
    expect(pages.filter((name) => name.startsWith('docs/') && !reached.has(name))).toEqual([]);
  });
});
