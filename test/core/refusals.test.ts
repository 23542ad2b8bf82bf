/**
 * Why a call was refused: each cause under its own reason, on the error and in the row alike.
 */
import { describe, expect, it } from 'vitest';
import { startRig, type Rig } from '../fakes/rig.ts';

const BOOKS = { kind: 'plugin', name: 'books' } as const;

function withWrite(): Rig {
  const rig = startRig();
  rig.tool('books.add', { effect: 'write', handler: () => Promise.resolve(1) });
  return rig;
}

describe('tool-denied', () => {
  it.each<[string, string, (rig: Rig) => Promise<unknown>]>([
    ['the tool is set to Deny', 'policy', (rig) => {
      rig.device({ auto: 'allow_once' });
      rig.hub.settings.setTool('books', 'books.add', 'deny');
      return rig.refused('books.add', {});
    }],
    ['the run\'s list leaves the tool out', 'policy', (rig) => {
      rig.device({ auto: 'allow_once' });
      return rig.refused('books.add', {}, { run: rig.hub.openRun('books', BOOKS, { tools: ['books.list'] }).id });
    }],
    ['the user declined', 'user', (rig) => {
      rig.device({ auto: 'deny' });
      return rig.refused('books.add', {});
    }],
    ['nobody answered in two minutes', 'no-answer', async (rig) => {
      rig.device();
      const calling = rig.refused('books.add', {});
      await rig.clock.advance(120_000);
      return calling;
    }],
  ])('F153 F154 D06 %s: the reason is %s', async (_, reason, go) => {
    const rig = withWrite();
    expect(await go(rig)).toMatchObject({ code: 'tool-denied', details: { reason } });
    expect([rig.calls().length, rig.lastCall()]).toEqual([1, expect.objectContaining({ outcome: 'refused', code: 'tool-denied', reason })]);
  });

  it('F054 silence is a no, also where a setting that nobody told the hub of says Allow by then', async () => {
    const rig = withWrite();
    rig.device();
    const calling = rig.refused('books.add', {});
    await rig.settle();
    rig.settings.saved = { ...rig.settings.saved, plugins: new Map([['books', { setting: 'allow', tools: new Map() }]]) };
    await rig.clock.advance(120_000);
    expect(await calling).toMatchObject({ code: 'tool-denied', details: { reason: 'no-answer' } });
  });

  it('F059 a setting that lets a call through and was not kept lets nothing through', async () => {
    const rig = withWrite();
    rig.device();
    const calling = rig.refused('books.add', {});
    await rig.settle();
    rig.settings.save = () => undefined; // another window has written over it at once
    rig.hub.settings.setTool('books', 'books.add', 'allow');
    expect(await calling).toMatchObject({ code: 'tool-denied', details: { reason: 'no-answer' } });
  });

  it('F113 F114 a call that failed leaves a row with code and message, and so does one that was refused', async () => {
    const rig = withWrite();
    rig.tool('books.list', { effect: 'read', handler: () => Promise.reject(new Error('The shelf is gone.')) });
    await rig.refused('books.list', {});
    await rig.refused('books.add', {});
    expect(rig.calls().map(({ outcome, code, message }) => [outcome, code, message])).toEqual([
      ['failed', 'tool-failed', 'The shelf is gone.'],
      ['refused', 'tool-denied', 'This call needs a yes, and nobody can be asked. Open the page of Model Hub, then call again.'],
    ]);
  });
});
