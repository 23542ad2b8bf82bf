/**
 * The terminal that the host runs in: what it prints goes to stderr's or stdout's side, keys come one at a time.
 *
 * Only a key that a person pressed is one. The arrow up comes as ESC [ A, which must not be taken for an `a`; so do function
 * keys and the terminal's own reports. What was pasted comes as one piece, and is no key either (B24).
 */
import type { ReadStream, WriteStream } from 'node:tty';
import type { Terminal } from './terminal-device.ts';

const CTRL_C = '\u0003';
const ESCAPE = '\u001b';
/** What follows ESC within so long belongs to it: over a slow line a sequence may come in pieces. */
const SEQUENCE_MS = 100;

/** Keys of a real terminal, one at a time. `interrupt` is called for Ctrl-C, which raw keys no longer do by themselves. */
export function rawTerminal(input: Pick<ReadStream, 'on' | 'off' | 'setRawMode' | 'resume' | 'pause'>, output: Pick<WriteStream, 'write'>, interrupt: () => void, now: () => number = () => performance.now()): Terminal {
  return {
    write: (text) => void output.write(text),
    onKey: (callback) => {
      let escapedAt = -Infinity;
      const pressed = (data: Buffer): void => {
        const text = data.toString('utf8');
        if (text.includes(CTRL_C)) {
          interrupt();
          return;
        }
        const inSequence = now() - escapedAt < SEQUENCE_MS;
        if (text.startsWith(ESCAPE) || inSequence) escapedAt = now();
        else if ([...text].length === 1) callback(text);
      };
      input.setRawMode(true);
      input.on('data', pressed);
      input.resume();
      return () => {
        input.off('data', pressed);
        input.setRawMode(false);
        input.pause();
      };
    },
  };
}
