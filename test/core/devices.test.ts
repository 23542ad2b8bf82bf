/**
 * Devices that come, go and stay silent while questions stand in line, and answers that meet another end of the question.
 */
import { describe, expect, it } from 'vitest';
import { startRig, type Rig } from '../fakes/rig.ts';

/** A rig with two writes, and calls of one run. */
function withWrites(): { rig: Rig; ran: string[]; call: (tool: string, signal?: AbortSignal) => Promise<unknown> } {
  const rig = startRig();
  const ran: string[] = [];
  for (const name of ['books.add', 'books.remove']) rig.tool(name, { effect: 'write', handler: () => Promise.resolve(ran.push(name)) });
  const { id: run } = rig.hub.openRun('books', { kind: 'plugin', name: 'books' });
  const call = (tool: string, signal?: AbortSignal): Promise<unknown> => rig.call(tool, {}, { run, ...(signal ? { signal } : {}) }).catch((error: unknown) => error);
  return { rig, ran, call };
}

describe('the devices at the line of questions', () => {
  it('B23 a device that was taken away is shown nothing more, and is nobody to ask', async () => {
    const { rig, call } = withWrites();
    const device = rig.device({ auto: 'allow_once' });
    await call('books.add');
    device.detach();
    expect(await call('books.add')).toMatchObject({ code: 'tool-denied', details: { reason: 'no-surface' } });
    expect(device.shown).toHaveLength(1);
  });

  it('D14 a question that comes later is counted on the one that is shown', async () => {
    const { rig, call } = withWrites();
    const device = rig.device();
    void call('books.add');
    await rig.settle();
    expect(device.current?.waiting).toBe(0);
    void call('books.remove');
    await rig.settle();
    expect([device.shown.length, device.current?.tool, device.current?.waiting]).toEqual([1, 'books.add', 1]);
  });

  it('F059 B10 a setting that settles the question shown brings up the next one', async () => {
    const { rig, ran, call } = withWrites();
    const device = rig.device();
    const first = call('books.add');
    void call('books.remove');
    await rig.settle();
    rig.hub.settings.setTool('books', 'books.add', 'allow');
    await first;
    expect([ran, device.current?.tool]).toEqual([['books.add'], 'books.remove']);
  });

  it('B23 a device that was silent and then answers is asked again', async () => {
    const { rig, call } = withWrites();
    const silent = rig.device({ silent: true });
    const page = rig.device({ name: 'the page' });
    void call('books.add');
    await rig.clock.advance(120_000);
    const second = call('books.add');
    await rig.settle();
    silent.answer('allow_once');
    await second;
    page.detach();
    void call('books.remove');
    await rig.settle();
    expect(silent.current?.tool).toBe('books.remove');
  });

  it('F215 the run of a single call is not offered to be allowed', async () => {
    const { rig } = withWrites();
    const device = rig.device();
    void rig.refused('books.add', {});
    await rig.settle();
    expect(device.current).toMatchObject({ choices: ['deny', 'allow_once'], withheld: 'The run is this one call.' });
    device.answer('deny');
  });

  it('B04 B20 the caller leaves in the moment of the answer: its question is settled once, and the next one stays', async () => {
    const { rig, ran, call } = withWrites();
    const device = rig.device();
    const caller = new AbortController();
    const first = call('books.add', caller.signal);
    const second = call('books.remove');
    await rig.settle();
    device.answer('deny');
    caller.abort();
    expect(await first).toMatchObject({ code: 'tool-denied', details: { reason: 'user' } });
    expect([device.closed.length, device.current?.tool]).toEqual([1, 'books.remove']);
    device.answer('allow_once');
    await second;
    expect(ran).toEqual(['books.remove']);
  });
});
