/**
 * Which version of the API a plugin asks for, and what it meets.
 */
import { describe, expect, it } from 'vitest';
import { openDoor } from '../../src/api/meeting.ts';
import { onHubReady, type HubConsumer } from '../../src/api/on-hub-ready.ts';
import { settled } from '../fakes/clock.ts';
import { startRig } from '../fakes/rig.ts';

function plugin(id: string, cleanups: (() => void)[] = []): HubConsumer {
  return { manifest: { id, name: id }, register: (cleanup) => void cleanups.push(cleanup) };
}

/** An app with the hub in it, and what the user was told. */
function withHub() {
  const app = {};
  const notices: string[] = [];
  const { hub } = startRig();
  return { app, notices, close: openDoor(app, { hub, notice: (text) => notices.push(text) }) };
}

describe('the version that a plugin asks for', () => {
  it.each([
    ['0.6.0', 1], ['0.6', 1], ['0', 1], ['0.9', 1], ['0.9.0', 1], ['0.9.1', 0], ['0.10.0', 0], ['1.0.0', 0], ['0.8.99', 1],
    ['0.9.0-beta', 1], ['0.9.0-rc.1', 1], ['0.9.0+7', 1], ['1.0.0-beta', 0], ['1', 0],
  ] as const)('F171 this hub has 0.9.0, the plugin asks for %j: called back %i times', async (version, times) => {
    const { app, notices } = withHub();
    let met = 0;
    onHubReady(app, plugin('books'), version, () => met++);
    await settled();
    expect([met, notices.length]).toEqual([times, 1 - times]);
    if (times === 0) expect(notices[0]).toBe(`books needs Model Hub with API ${version}; this one has 0.9.0. Update Model Hub.`);
  });

  it.each(['next', '', 'v0.9.0', '0.9.0.1', '0.-1', '0.9 ', '٠.٩', undefined, null, {}])('F171 %j is no version: nothing throws, no callback, and the user is not told to update the hub', async (version) => {
    const { app, notices } = withHub();
    let met = 0;
    onHubReady(app, plugin('books'), version as string, () => met++);
    await settled();
    expect([met, notices]).toEqual([0, ['The plugin books failed while it met Model Hub: its tools may be missing. Look for an update of the plugin.']]);
  });

  it('F171 the user is told of a plugin once, however often it asks', async () => {
    const { app, notices } = withHub();
    for (let n = 0; n < 3; n++) onHubReady(app, plugin('books'), '9.0.0', () => undefined);
    await settled();
    expect(notices).toHaveLength(1);
  });

  it('F176 a plugin that unloads before it was called back is not called', async () => {
    const { app } = withHub();
    const cleanups: (() => void)[] = [];
    let met = 0;
    onHubReady(app, plugin('books', cleanups), '0.6.0', () => met++);
    for (const cleanup of cleanups) cleanup();
    await settled();
    expect(met).toBe(0);
  });

  it('F173 a plugin that comes after the hub has gone waits for the next one', async () => {
    const { app, close } = withHub();
    close();
    let met = 0;
    onHubReady(app, plugin('books'), '0.6.0', () => met++);
    await settled();
    expect(met).toBe(0);
    openDoor(app, { hub: startRig().hub, notice: () => undefined });
    await settled();
    expect(met).toBe(1);
  });
});
