/**
 * Keys of a terminal: what a person pressed is one, and nothing else is.
 */
import { EventEmitter } from 'node:events';
import type { ReadStream } from 'node:tty';
import { describe, expect, it } from 'vitest';
import { rawTerminal } from '../../src/host/terminal/terminal.ts';

/** Stdin as far as keys are concerned. */
class FakeInput extends EventEmitter {
  raw = false;
  flowing = false;
  setRawMode(raw: boolean): ReadStream {
    this.raw = raw;
    return this as unknown as ReadStream;
  }
  resume(): this {
    this.flowing = true;
    return this;
  }
  pause(): this {
    this.flowing = false;
    return this;
  }
}

function listening() {
  const input = new FakeInput();
  const keys: string[] = [];
  const heard = { interrupts: 0, now: 0 };
  const terminal = rawTerminal(input as unknown as ReadStream, { write: () => true }, () => { heard.interrupts++; }, () => heard.now);
  const stop = terminal.onKey((key) => keys.push(key));
  return { input, keys, heard, stop, come: (text: string): void => void input.emit('data', Buffer.from(text)) };
}

describe('what comes from the terminal', () => {
  it('is a key where it is one character', () => {
    const { keys, come } = listening();
    for (const key of ['a', 'D', 'é', '\r']) come(key);
    expect(keys).toEqual(['a', 'D', 'é', '\r']);
  });

  it.each([
    ['the arrow up', '\u001b[A'], ['the arrow left', '\u001b[D'], ['F1', '\u001bOP'], ['F3', '\u001bOR'], ['Alt and a', '\u001ba'], ['where the cursor is', '\u001b[12;40R'], ['what terminal this is', '\u001b[?1;2c'],
    ['a paste', 'read and add'], ['a paste in brackets', '\u001b[200~a\u001b[201~'], ['two keys at once', 'aa'],
  ])('B24 %s is no answer', (_, text) => {
    const { keys, come } = listening();
    come(text);
    expect(keys).toEqual([]);
  });

  it('B24 a sequence that comes in pieces is none either; a key after it is', () => {
    const { keys, come, heard } = listening();
    for (const piece of ['\u001b', '[', 'A']) {
      come(piece);
      heard.now += 50;
    }
    heard.now += 50;
    come('a');
    expect(keys).toEqual(['a']);
  });

  it('is Ctrl-C, also in the middle of a paste', () => {
    const { keys, heard, come } = listening();
    come('\u0003');
    come('ab\u0003cd');
    expect([heard.interrupts, keys]).toEqual([2, []]);
  });

  it('is nobody\'s any more when the terminal is let go', () => {
    const { input, keys, stop, come } = listening();
    stop();
    come('a');
    expect([keys, input.raw, input.flowing, input.listenerCount('data')]).toEqual([[], false, false, 0]);
  });
});
