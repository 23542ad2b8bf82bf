/**
 * The log under real processes: several at once, and one that is killed.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { interrupted } from '../../src/core/interrupted.ts';
import { LogRig } from '../fakes/log-rig.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'model-hub-writer-'));
const program = path.join(folder, 'log-writer.mjs');

beforeAll(async () => {
  await build({
    entryPoints: [path.join(import.meta.dirname, 'log-writer.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    logLevel: 'error',
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('processes', () => {
  it('log-faults 1 a writer that is killed loses no row that it told of, and the next start begins a chain of its own', async () => {
    const rig = new LogRig();
    for (let round = 0; round < 5; round++) {
      const writer = startWriter(rig, 0);
      await writer.told(40 + round * 7);
      await killed(writer);
      const ids = new Set(rig.rows().map(({ id }) => id));
      expect(writer.ids.filter((id) => !ids.has(id))).toEqual([]);
    }
    const start = rig.start();
    await start.call();
    const report = await start.log.verify();
    expect(report).toMatchObject({ green: true, writers: 6, bad: 0 });
  });

  it('log-faults 23 a write that was begun when its process was killed gets one row, interrupted, whoever looks first', async () => {
    const rig = new LogRig();
    const id = await killedAt(rig, 'begun');
    for (let i = 0; i < 3; i++) await answerLeftBehind(rig);
    expect(rig.rows()).toMatchObject([{ kind: 'call', id, outcome: 'interrupted', code: 'interrupted', tool: 'books.add_to_shelf' }]);
    expect(rig.rows()[0]).not.toHaveProperty('undo');
    expect(await rig.start().log.verify()).toMatchObject({ green: true, rows: 1 });
  });

  it('log-faults 23 a write whose row was there when its process was killed gets no second one', async () => {
    const rig = new LogRig();
    const id = await killedAt(rig, 'answered');
    for (let i = 0; i < 3; i++) await answerLeftBehind(rig);
    expect(rig.rows()).toMatchObject([{ id, outcome: 'ok' }]);
  });

  it('D28 entries of a process that lives are left alone', async () => {
    const rig = new LogRig();
    const writer = startWriter(rig, 0);
    await writer.told(10);
    for (let look = 0; look < 20; look++) {
      const start = rig.start();
      expect(await start.log.journal.leftBehind()).toEqual([]);
      await writer.told(writer.ids.length + 5);
    }
    await killed(writer);
  });

  it('log-faults 16 two processes with 2 000 rows each lose none, and both chains hold', async () => {
    const rig = new LogRig();
    const writers = [startWriter(rig, 2000), startWriter(rig, 2000)];
    for (const { closed } of writers) expect(await closed).toEqual([0, null]);
    const start = rig.start();
    const { rows, damaged, torn } = await start.log.reader.read();
    expect({ rows: rows.length, damaged, torn }).toEqual({ rows: 4000, damaged: 0, torn: 0 });
    expect(await start.log.verify()).toMatchObject({ green: true, rows: 4000, writers: 2, missing: { count: 0 } });
  });
});

interface Writer {
  readonly process: ChildProcess;
  /** Resolves with exit code and signal. */
  readonly closed: Promise<unknown[]>;
  /** Ids that it printed. */
  readonly ids: string[];
  /** Resolves when it has printed so many. */
  told(count: number): Promise<void>;
}

function startWriter(rig: LogRig, count: number | 'begun' | 'answered'): Writer {
  const child = spawn(process.execPath, [program, rig.folder, rig.state, String(count)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const ids: string[] = [];
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (text + chunk.toString('latin1')).split('\n');
    text = lines.pop() ?? '';
    ids.push(...lines);
  });
  return {
    process: child,
    closed,
    ids,
    told: async (wanted) => {
      while (ids.length < wanted) {
        if (child.exitCode !== null) throw new Error('the writer ended early');
        await Promise.race([once(child.stdout, 'data'), closed]);
      }
    },
  };
}

async function killed({ process: child, closed }: Writer): Promise<void> {
  child.kill('SIGKILL');
  await closed;
}

async function killedAt(rig: LogRig, place: 'begun' | 'answered'): Promise<string> {
  const writer = startWriter(rig, place);
  await writer.told(1);
  await killed(writer);
  return writer.ids[0]!;
}

/** What the hub does when it starts. */
async function answerLeftBehind(rig: LogRig): Promise<void> {
  const { log, spans } = rig.start();
  await interrupted({ clock: rig.clock, spans, log, journal: log.journal });
  await log.close();
}
