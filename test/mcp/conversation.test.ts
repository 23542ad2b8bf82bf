/** A conversation and its run. */
import { describe, expect, it } from 'vitest';
import { Conversation } from '../../src/mcp/conversation.ts';
import { FakeClock } from '../fakes/clock.ts';
import { FakeMcpHub } from '../fakes/mcp-hub.ts';

describe('a conversation that has ended', () => {
  it('F243 opens no run for a call that was still on its way: nobody would close it', () => {
    const hub = new FakeMcpHub();
    const conversation = new Conversation({ hub, clock: new FakeClock(), transport: 'tcp', sessionId: 's' });
    conversation.end('session_closed');
    expect(() => conversation.run('Codex', undefined)).toThrow(expect.objectContaining({ code: 'aborted' }) as Error);
    expect(hub.opened).toEqual([]);
  });
});
