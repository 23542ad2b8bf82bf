/**
 * Guards of the hub's own tools: what they object to is refused before anybody is asked, whatever the settings say.
 */
import { describe, expect, it } from 'vitest';
import type { Guard } from '../../src/core/registry.ts';
import { startRig, type Rig } from '../fakes/rig.ts';

const INPUT = { type: 'object', properties: { note: { type: 'string' } } } as const;

function guarded(guard: Guard): { rig: Rig; ran: unknown[] } {
  const rig = startRig();
  const ran: unknown[] = [];
  const tool = { name: 'vault.edit', description: 'Edits.', effect: 'write', input: INPUT, handler: (input: unknown) => Promise.resolve(ran.push(input)) } as const;
  rig.hub.register({ id: 'model-hub', name: 'Model Hub' }, [tool], { guards: new Map([['vault.edit', guard]]) });
  return { rig, ran };
}

describe('a guard', () => {
  it.each<[string, Guard]>([
    ['objects', () => 'This note is the hub\'s own.'], ['objects after a while', () => Promise.resolve('This note is the hub\'s own.')],
    ['throws', () => { throw new Error('CANARY'); }], ['rejects', () => Promise.reject(new Error('CANARY'))],
  ])('D02 D06 that %s refuses, even where the tool is allowed, and nobody is asked', async (_, guard) => {
    const { rig, ran } = guarded(guard);
    rig.hub.settings.setTool('model-hub', 'vault.edit', 'allow');
    const device = rig.device({ auto: 'allow_once' });
    expect(await rig.refused('vault.edit', { note: 'a.md' })).toMatchObject({ code: 'tool-denied', details: { reason: 'guard' } });
    expect([ran, device.shown, rig.lastCall().policy]).toEqual([[], [], { effective: 'deny', source: 'guard' }]);
    expect(rig.bytes()).not.toContain('CANARY');
  });

  it('D02 no grant of the run gets past it', async () => {
    const { rig, ran } = guarded((input) => ((input as { note?: string }).note === 'own.md' ? 'This note is the hub\'s own.' : undefined));
    rig.device({ auto: 'allow_run' });
    const { id: run } = rig.hub.openRun('books', { kind: 'plugin', name: 'books' });
    await rig.call('vault.edit', { note: 'a.md' }, { run });
    expect(await rig.refused('vault.edit', { note: 'own.md' }, { run })).toMatchObject({ details: { reason: 'guard' } });
    expect(ran).toEqual([{ note: 'a.md' }]);
  });

  it('F157 whose caller leaves while it thinks: nobody is asked', async () => {
    let decide: (objection: undefined) => void = () => undefined;
    const { rig, ran } = guarded(() => new Promise((resolve) => { decide = resolve; }));
    const device = rig.device({ auto: 'allow_once' });
    const caller = new AbortController();
    const calling = rig.refused('vault.edit', {}, { signal: caller.signal });
    await rig.settle();
    caller.abort();
    decide(undefined);
    expect(await calling).toMatchObject({ code: 'aborted' });
    expect([ran, device.shown]).toEqual([[], []]);
  });

  it('F090 sees arguments that fit the schema, and those that will run', async () => {
    const seen: unknown[] = [];
    const { rig, ran } = guarded((input) => { seen.push(input); return undefined; });
    rig.device({ auto: 'allow_once' });
    await rig.refused('vault.edit', { note: 7 });
    await rig.call('vault.edit', { note: 'a.md' });
    expect([seen.length, seen[0] === ran[0], Object.isFrozen(seen[0])]).toEqual([1, true, true]);
  });

  it('D02 D06 that hangs for five seconds refuses', async () => {
    const { rig, ran } = guarded(() => new Promise(() => undefined));
    const refused = rig.refused('vault.edit', { note: 'a.md' });
    await rig.clock.advance(5_000);
    expect(await refused).toMatchObject({ code: 'tool-denied', details: { reason: 'guard' } });
    expect([ran, rig.clock.waiting]).toEqual([[], 0]);
  });

  it('F157 that hangs holds nobody: a caller that leaves is answered at once', async () => {
    const { rig, ran } = guarded(() => new Promise(() => undefined));
    const caller = new AbortController();
    const refused = rig.refused('vault.edit', { note: 'a.md' }, { signal: caller.signal });
    await rig.settle();
    caller.abort();
    expect(await refused).toMatchObject({ code: 'aborted' });
    expect([ran, rig.clock.waiting]).toEqual([[], 0]);
  });
});
