/** Which paths a tool may name. */
import { describe, expect, it } from 'vitest';
import { folderPathFault, notePathFault } from '../../src/tools/note-path.ts';
import cases from '../cases/paths.json';

const HIDDEN = /hidden folder/;
const SPELLING = /Write the note's path as the vault shows it/;

describe('the path of a note, by its text', () => {
  it.each<[string, RegExp]>([
    ['.obsidian/plugins/model-hub/notes.md', HIDDEN],
    ['.OBSIDIAN/plugins/model-hub/notes.md', HIDDEN],
    ['.obsidian\u0301/notes.md', HIDDEN],
    ['\u200b.obsidian/notes.md', HIDDEN],
    ['.obsi\u200cdian/notes.md', HIDDEN],
    ['\u2024obsidian/notes.md', HIDDEN],
    [' .obsidian/notes.md', HIDDEN],
    ['Reading/.trash/notes.md', HIDDEN],
    ['.md', HIDDEN],
    ['./Welcome.md', SPELLING],
    ['Reading//Emma.md', SPELLING],
    ['Reading/../Welcome.md', SPELLING],
    ['Reading/./Emma.md', SPELLING],
    ['/Welcome.md', SPELLING],
    ['~/Welcome.md', SPELLING],
    ['C:/Welcome.md', SPELLING],
    ['Welcome.md:stream.md', SPELLING],
    ['Reading\\Emma.md', SPELLING],
    ['Welcome.md.', SPELLING],
    ['Welcome.md ', SPELLING],
    ['Reading./Emma.md', SPELLING],
    ['Reading /Emma.md', SPELLING],
    ['Welcome\u0000.md', SPELLING],
    ['Welcome\u007f.md', SPELLING],
    ['Wel\ud800come.md', SPELLING],
    ['Welcome.md/', SPELLING],
    [`${'x'.repeat(256)}.md`, /too long/],
    ['Welcome.txt', /end in \.md/],
    ['data.json', /end in \.md/],
  ])('B07 B32 %j is refused', (path, sentence) => {
    expect(notePathFault(path)).toMatch(sentence);
  });

  it.each(cases.refuse.filter((path) => !/link|the hub's/.test(path)))('paths.json %j is refused', (path) => {
    expect(notePathFault(path.replace(/(?<=[a-z])$/, '.md'))).toMatch(/./);
  });

  it.each([...cases.ok, 'Reading/The Periodic Table', '日本語/読書', 'a...b', '👩‍🚀 log', "O'Brien (2nd ed.), 50% & more"])('paths.json %j passes', (path) => {
    expect(notePathFault(path.endsWith('.md') ? path : `${path}.md`)).toBeUndefined();
  });

  it('F120 no sentence quotes the path', () => {
    for (const path of ['../CANARY.md', '.CANARY/x.md', 'CANARY.txt', '/CANARY.md', 'CANARY\u0000.md', 'CANARY .md ']) {
      expect(notePathFault(path)).not.toContain('CANARY');
    }
  });

  it('a folder is judged by the same rules', () => {
    expect([folderPathFault('Shelves'), folderPathFault('a/b')]).toEqual([undefined, undefined]);
    for (const path of ['.obsidian', '..', '', 'a/../b', '/a']) expect(folderPathFault(path)).toMatch(/./);
  });
});
