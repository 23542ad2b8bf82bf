/**
 * The names of all tests, read from the test files by the TypeScript parser: what stands in a comment or in a text is no
 * name. Names made from a template or from a table count with what is written in them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const TESTS = new Set(['it', 'test', 'describe']);

/** @param {string} folder @returns {string[]} */
export function testNames(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
  return files.flatMap((file) => namesIn(readFileSync(join(folder, file), 'utf8'), file));
}

/** @param {string} text @param {string} [file] @returns {string[]} */
export function namesIn(text, file = 'x.test.ts') {
  const names = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && TESTS.has(rootOf(node.expression))) {
      const [name] = node.arguments;
      if (name) names.push(...textsOf(name));
      const table = tableOf(node.expression);
      if (table && name) names.push(...cellsOf(table));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false));
  return names;
}

/** `it` of `it(…)`, `it.each(…)(…)`, `describe.skipIf(…)(…)`. */
function rootOf(expression) {
  let node = expression;
  while (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) node = node.expression;
  return ts.isIdentifier(node) ? node.text : '';
}

/** The written parts of a name. */
function textsOf(node) {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node)) return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
  if (ts.isBinaryExpression(node)) return [...textsOf(node.left), ...textsOf(node.right)];
  return [];
}

/** The table of `it.each(table)(…)`, where it is written in place. */
function tableOf(expression) {
  if (!ts.isCallExpression(expression) || !ts.isPropertyAccessExpression(expression.expression) || expression.expression.name.text !== 'each') return undefined;
  const [table] = expression.arguments;
  return table && ts.isArrayLiteralExpression(table) ? table : undefined;
}

/** The first cell of each of its rows: what `%s` at a name's start becomes. */
function cellsOf(table) {
  return table.elements.flatMap((row) => {
    const first = ts.isArrayLiteralExpression(row) ? row.elements[0] : row;
    return first ? textsOf(first) : [];
  });
}
