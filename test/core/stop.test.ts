/** What stops a call: the first reason stands, whoever looks and whenever. */
import { describe, expect, it } from 'vitest';
import { HubError } from '../../src/core/errors.ts';
import { Stop } from '../../src/core/stop.ts';

const ENDED = new HubError('aborted', 'The run of this call was ended.');
const LATE = new HubError('tool-timeout', 'Too late.');

describe('the stop of a call', () => {
  it('F157 keeps its first reason, and tells each listener once', () => {
    const heard: HubError[] = [];
    const stop = new Stop({ id: 'r-1', owner: 'books' });
    stop.onStop((reason) => heard.push(reason));
    stop.stop(ENDED);
    stop.stop(LATE);
    expect([stop.reason, heard, stop.signal.reason]).toEqual([ENDED, [ENDED], ENDED]);
    expect(() => stop.throwIfStopped()).toThrow(ENDED);
  });

  it('F185 a signal that is asked for after the stop has fired already', () => {
    const stop = new Stop({ id: 'r-1', owner: 'books' });
    stop.stop(ENDED);
    expect([stop.signal.aborted, stop.signal.reason]).toEqual([true, ENDED]);
  });

  it('tells no listener that was taken away, and none after the call is over', () => {
    const heard: string[] = [];
    const caller = new AbortController();
    const stop = new Stop({ id: 'r-1', owner: 'books' }, caller.signal);
    stop.onStop(() => heard.push('taken away'))();
    stop.onStop(() => heard.push('over'));
    stop.release();
    caller.abort();
    expect([heard, stop.reason]).toEqual([[], undefined]);
  });
});
