/**
 * What a reader cannot see at a glance: promises that nobody waits for, unions with an arm left out, text that becomes
 * markup, words on the console. The compiler and oxlint have the rest.
 */
import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import obsidianmd from 'eslint-plugin-obsidianmd';
import { fileURLToPath } from 'node:url';
import tseslint from 'typescript-eslint';

const NO_MARKUP = [
  { selector: "AssignmentExpression > MemberExpression.left[property.name=/^(innerHTML|outerHTML|srcdoc)$/]", message: 'Text is drawn as text: use textContent.' },
  { selector: "CallExpression > MemberExpression.callee[property.name=/^(insertAdjacentHTML|createContextualFragment|parseFromString|setHTMLUnsafe)$/]", message: 'Text is drawn as text: use textContent.' },
  { selector: "CallExpression > MemberExpression.callee[object.name='document'][property.name=/^(write|writeln)$/]", message: 'Text is drawn as text: use textContent.' },
];

/** What ends up in the Obsidian plugin: judged as a release of it would be. */
const IN_THE_PLUGIN = ['otel', 'src/core', 'src/api', 'src/mcp', 'src/tools', 'src/node', 'src/shown', 'src/obsidian', 'views'].map((folder) => `${folder}/**/*.ts`);

export default defineConfig(
  { ignores: ['build/', 'dist/', 'node_modules/', '**/*.d.ts', '.model-hub/'] },
  js.configs.recommended,
  { files: ['**/*.mjs', '**/*.cjs'], languageOptions: { globals: { process: 'readonly', URL: 'readonly', fetch: 'readonly', setTimeout: 'readonly', module: 'writable' } } },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommended],
    languageOptions: { parserOptions: { projectService: { allowDefaultProject: ['.config/*.ts'] }, tsconfigRootDir: fileURLToPath(new URL('..', import.meta.url)) } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      // Every arm by name, and no default beside them: a new arm then shows every place that must handle it.
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { allowDefaultCaseForExhaustiveSwitch: false }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/no-base-to-string': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none' }],
      'no-restricted-syntax': ['error', ...NO_MARKUP],
      'no-console': 'error',
      'no-control-regex': 'off', // to name control characters is this project's business
      eqeqeq: 'error',
    },
  },
  {
    // Code that runs anywhere: nothing of Node's and nothing of a window's, not by way of `globalThis` either.
    files: ['otel/**/*.ts', 'src/core/**/*.ts', 'src/api/**/*.ts', 'src/tools/**/*.ts', 'src/authors/**/*.ts', 'views/**/*.ts'],
    rules: {
      'no-restricted-globals': ['error', ...['process', 'Buffer', 'document', 'window', 'globalThis', 'localStorage', 'fetch'].map((name) => ({ name, message: 'Have it handed in.' }))],
      'no-restricted-imports': ['error', { patterns: [{ regex: '^node:', message: 'Have it handed in, through a port.' }] }],
    },
  },
  { files: IN_THE_PLUGIN, extends: [obsidianmd.configs.recommended] },
  {
    files: IN_THE_PLUGIN,
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none' }],
      'no-control-regex': 'off', // to name control characters is this project's business
      // What another plugin throws is passed on as it is.
      '@typescript-eslint/prefer-promise-reject-errors': ['error', { allowThrowingUnknown: true }],
    },
  },
  // The same views are drawn on a page without the app, where elements have no helpers of Obsidian's.
  { files: ['views/**/*.ts'], rules: { 'obsidianmd/prefer-create-el': 'off' } },
  // No window is near: these run under Node too.
  { files: ['otel/**/*.ts', 'src/node/**/*.ts'], rules: { 'obsidianmd/prefer-window-timers': 'off' } },
  // The SDK keeps its low-level server for those who bring JSON Schemas of their own; Grafana's stable dashboards are the first kind.
  { files: ['src/mcp/*.ts', 'otel/grafana/*.ts'], rules: { '@typescript-eslint/no-deprecated': 'off' } },
  // A tool's author names the input's shape; the list of tools cannot.
  { files: ['src/core/types.ts'], rules: { '@typescript-eslint/no-explicit-any': 'off' } },
  { files: ['bench/**/*.ts'], rules: { 'no-console': 'off' } },
  { files: ['test/**/*.ts'], rules: { 'no-loss-of-precision': 'off' } },
);
