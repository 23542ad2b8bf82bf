/**
 * The terminal that the host runs in: what it prints goes to stderr's or stdout's side, keys come one at a time.
 */
import type { ReadStream, WriteStream } from 'node:tty';
import type { Terminal } from './terminal-device.ts';

const CTRL_C = '\u0003';

/** Keys of a real terminal, one at a time. `interrupt` is called for Ctrl-C, which raw keys no longer do by themselves. */
export function rawTerminal(input: ReadStream, output: WriteStream, interrupt: () => void): Terminal {
  return {
    write: (text) => void output.write(text),
    onKey: (callback) => {
      const pressed = (data: Buffer): void => {
        for (const key of data.toString('utf8')) {
          if (key === CTRL_C) interrupt();
          else callback(key);
        }
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
