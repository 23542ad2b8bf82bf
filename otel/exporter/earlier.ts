/**
 * Sends rows that were written before sending was switched on, or that a crash kept from it: those that are missing at the
 * collector, and no others (E03).
 */
import type { LogSource } from '../log-source.ts';
import type { Row } from '../row.ts';
import { isoMicros } from '../text.ts';
import { sendRows, type BatchParts, type BatchResult } from './batch.ts';
import { Follower, rowsIn } from './follower.ts';
import type { Ranges } from './ranges.ts';

/** What was sent, by whomever. */
export interface EarlierStore {
  /** `from`: from that row on a running process sees to it itself. */
  known(writer: string): { readonly sent: Ranges; readonly from: number };
  record(writer: string, sent: Ranges): void;
}

export interface EarlierParts extends Omit<BatchParts, 'stop' | 'clock'> {
  readonly source: LogSource;
  readonly store: EarlierStore;
  /** Microseconds since 1970: rows from before are left alone. */
  readonly since: number;
  readonly clock: { monotonic(): number; after(ms: number, run: () => void): () => void };
}

export interface EarlierResult {
  readonly spans: number;
  /** Rows that the collector has already, or that a running host sends. */
  readonly passed: number;
  /** Spans that the collector threw away, or would not have. */
  readonly rejected: number;
  /** Why it ended early; what was sent until then is remembered. */
  readonly problem?: string;
}

const TRIES = 5;

export async function sendEarlier(parts: EarlierParts): Promise<EarlierResult> {
  const follower = new Follower(parts.source, { copies: true });
  const known = new Map<string, ReturnType<EarlierStore['known']>>();
  const first = isoMicros(parts.since);
  let spans = 0;
  let passed = 0;
  let rejected = 0;
  try {
    for (let piece = await follower.next(undefined); piece && !piece.end; piece = await follower.next(piece.place)) {
      for (const [writer, rows] of byWriter(rowsIn(piece.lines).filter(({ time }) => time >= first))) {
        const { sent, from } = known.get(writer) ?? parts.store.known(writer);
        known.set(writer, { sent, from });
        const missing = rows.filter(({ n }) => n >= 1 && n < from && !sent.has(n)); // before 1 is none of ours
        passed += rows.length - missing.length;
        const result = await send(writer, missing, parts);
        if (result.kind === 'failed') return { spans, passed, rejected, problem: result.why };
        spans += result.delivered;
        rejected += result.rejected;
        for (const { n } of missing) sent.add(n);
        if (missing.length > 0) parts.store.record(writer, sent);
      }
    }
  } catch {
    return { spans, passed, rejected, problem: 'the log could not be read' };
  }
  return { spans, passed, rejected };
}

/** A few times, where the collector is busy. */
async function send(writer: string, rows: readonly Row[], parts: EarlierParts): Promise<BatchResult> {
  for (let attempt = 1; ; attempt++) {
    const result = await sendRows(writer, rows, { ...parts, stop: new AbortController().signal });
    if (result.kind === 'done' || !result.passing || attempt === TRIES) return result;
    await new Promise<void>((resolve) => parts.clock.after(Math.max(result.waitMs, attempt * 1_000), resolve));
  }
}

function byWriter(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(row.w, [...(groups.get(row.w) ?? []), row]);
  return groups;
}
