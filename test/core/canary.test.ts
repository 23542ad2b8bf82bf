/** A marked text in the arguments, in every place and with every outcome, turns up in no row and no span. */
import { describe, expect, it } from 'vitest';
import { startRig, type Rig } from '../fakes/rig.ts';

const CANARY = 'CANARY-7f3a';
const INPUT = { type: 'object', properties: { text: { type: 'string' }, list: { type: 'array', items: { type: 'string' } }, deep: { type: 'object', properties: { text: { type: 'string' } } } } } as const;
const FULL = { text: CANARY, list: [CANARY], deep: { text: CANARY } };

/** Everything that leaves the gate: the log's bytes, and every span whole. */
function leavings(rig: Rig): string {
  return rig.bytes() + rig.spans('').map((span) => JSON.stringify([span.name, span.attributes, span.events, span.links.map(({ attributes }) => attributes), span.status, span.resource.attributes])).join('\n');
}

describe('B40 F143 a canary in the arguments', () => {
  it.each<[string, (rig: Rig) => Promise<unknown>]>([
    ['ok', (rig) => rig.call('books.add', FULL)],
    ['of a call that does not fit', (rig) => rig.refused('books.add', { ...FULL, [`${CANARY}-key`]: CANARY })],
    ['of a call with a wrong type', (rig) => rig.refused('books.add', { text: [CANARY] })],
    ['of a call that is no JSON', (rig) => rig.refused('books.add', { text: CANARY, bad: () => CANARY })],
    ['of a text instead of an object', (rig) => rig.refused('books.add', CANARY)],
    ['of an unknown tool', (rig) => rig.refused(`books.${CANARY}`, FULL)],
    ['denied by setting', (rig) => { rig.hub.settings.setPlugin('books', 'deny'); return rig.refused('books.add', FULL); }],
    ['allowed, and failing with a cause, a name and a code', (rig) => {
      rig.tool('books.add', { effect: 'write', input: INPUT, handler: ({ text }: { text: string }) => Promise.reject(Object.assign(new Error('It failed.', { cause: text }), { name: text, code: text, stack: text })) });
      return rig.refused('books.add', FULL);
    }],
    ['allowed, and rejecting with a text', (rig) => {
      rig.tool('books.add', { effect: 'write', input: INPUT, handler: ({ text }: { text: string }) => Promise.reject(text) });
      return rig.refused('books.add', FULL);
    }],
    ['in a property\'s name, of a call that the tool makes itself', (rig) => {
      rig.tool('books.inner', { effect: 'read', handler: () => Promise.resolve(1) });
      rig.tool('books.add', { effect: 'write', input: INPUT, handler: ({ text }: { text: string }) => rig.call('books.inner', { [text]: 1 }) });
      return rig.refused('books.add', FULL);
    }],
    ['of a caller that gives it as its reason to leave', (rig) => rig.refused('books.add', FULL, { signal: AbortSignal.abort(CANARY) })],
    ['with a run id that is one', (rig) => rig.refused('books.add', FULL, { run: CANARY })],
  ])('%s is nowhere in the log or in any span', async (_, go) => {
    const rig = startRig();
    rig.tool('books.add', { effect: 'write', input: INPUT, handler: () => Promise.resolve('fine') });
    rig.device({ auto: 'allow_once' });
    await go(rig);
    await rig.hub.close();
    expect(rig.calls().length).toBeGreaterThan(0);
    expect(leavings(rig)).not.toContain(CANARY);
  });

  it('F120 D31 a handler\'s own message is logged, one line and at most 500 characters, and stays off every exported attribute', async () => {
    const rig = startRig();
    rig.tool('books.list', { effect: 'read', handler: () => Promise.reject(new Error(`no\nsuch\u0007 shelf ${'😀'.repeat(400)}`)) });
    await rig.refused('books.list', {});
    const message = rig.lastCall().message!;
    expect([message.startsWith('no such shelf 😀'), message.length <= 500, message.isWellFormed(), message.endsWith('…')]).toEqual([true, true, true, true]);
    const exported = rig.spans('tool_call').flatMap(({ attributes, status }) => [...Object.entries(attributes).filter(([key]) => !key.startsWith('modelhub.local.')), status]);
    expect(JSON.stringify(exported)).not.toContain('shelf');
  });

  it('D25 who holds the log but not the key cannot tell which of ten thousand codes was passed', async () => {
    const rig = startRig();
    rig.tool('books.add', { effect: 'write', input: { type: 'object', properties: { pin: { type: 'string' } } }, handler: () => Promise.resolve(1) });
    rig.device({ auto: 'allow_once' });
    await rig.call('books.add', { pin: '4711' });
    const { args } = rig.lastCall();
    const guesses = Array.from({ length: 10_000 }, (_, n) => `{"pin":"${String(n).padStart(4, '0')}"}`);
    expect(args).toMatch(/^hmac-sha256:[0-9a-f]{64}$/);
    expect(guesses.filter((guess) => args === `hmac-sha256:${rig.crypto.digest(guess)}`)).toEqual([]);
    expect(guesses.filter((guess) => args === rig.crypto.hashArguments(guess))).toEqual(['{"pin":"4711"}']);
  });
});
