/**
 * The journal of what is in flight: writes that have been allowed and not yet answered, in `in-flight.jsonl`. What a crash
 * leaves in it is answered at the next start, once (E04). It also sees to it that a write is taken back once, whoever asks (D28).
 *
 * Other processes append to the same file, so it is never truncated. Whoever tidies it first gives it a name of its own,
 * then carries over what is still in flight; whoever appends looks afterwards whether the file was moved, and if so
 * appends again. An entry may so stand twice, or after its end: entries are a set, and their order says nothing.
 */
import * as nodeFs from 'node:fs';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Intent, Journal, Micros, UndoIntent } from '../../core/ports.ts';
import { isRunning } from '../process.ts';
import { IntentFile, unfinished, type Entry } from './intent-file.ts';

export interface JournalOptions {
  /** The hub's own folder. */
  readonly folder: string;
  /** Random, one per start: the log's writer. */
  readonly writer: string;
  readonly now: () => Micros;
  /** True while rows wait in memory: then no intent is done with, since its row may be among them. */
  readonly rowsWait?: () => boolean;
  readonly isAlive?: (pid: number) => boolean;
}

const NAME = 'in-flight.jsonl';
const IS_ASIDE = /^in-flight\.(\d+)\.[0-9a-f]+\.jsonl$/;
const IS_CLAIM = /^in-flight\.undo\.[0-9a-f]+$/;
/** Half as long again as a handler may run: whoever wrote it is gone, whatever its process number says now. */
const STALE_MICROS = 90_000_000;
/** The journal is tidied when it is longer than this and nothing of ours is in flight. */
const TIDY_BYTES = 1 << 16;

export class InFlightJournal implements Journal {
  readonly #folder: string;
  readonly #writer: string;
  readonly #now: () => Micros;
  readonly #rowsWait: () => boolean;
  readonly #isAlive: (pid: number) => boolean;
  readonly #file: IntentFile;
  /** Begun by us, or left behind by others and being answered by us; not ended. */
  readonly #mine = new Map<string, Intent>();
  readonly #held = new Set<string>();
  /** Files that we took from writers that are gone, each with the ids that are still to be answered. */
  readonly #taken = new Map<string, Set<string>>();
  #deleted = false;

  constructor({ folder, writer, now, rowsWait = () => false, isAlive = isRunning }: JournalOptions) {
    this.#folder = folder;
    this.#writer = writer;
    this.#now = now;
    this.#rowsWait = rowsWait;
    this.#isAlive = isAlive;
    this.#file = new IntentFile(path.join(folder, NAME));
  }

  begin(intent: Intent): void {
    if (this.#deleted) return;
    this.#file.append({ begin: intent, w: this.#writer, pid: process.pid });
    this.#mine.set(intent.id, intent);
  }

  end(id: string): void {
    if (!this.#mine.has(id)) return;
    if (this.#rowsWait()) this.#held.add(id);
    else this.#finish(id);
  }

  /** The rows that waited are written. */
  release(): void {
    if (this.#held.size === 0 || this.#rowsWait()) return;
    for (const id of this.#held) this.#finish(id);
    this.#held.clear();
  }

  /** The intent is on disk before the claim is made: a claim that a crash leaves always has its row at the next start. */
  claimUndo(intent: UndoIntent): boolean {
    this.begin(intent);
    try {
      makeClaim(this.#claimOf(intent), intent.id);
      return true;
    } catch (error) {
      this.#mine.delete(intent.id);
      this.#appendEnd(intent.id);
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }

  async leftBehind(): Promise<readonly Intent[]> {
    const left = new Map<string, Intent>();
    for (const file of this.#takeOver()) {
      try {
        this.#taken.set(file, this.#sort(file, left));
      } catch {
        // It stands aside, whole, for the next start.
      }
    }
    for (const [id, intent] of left) this.#mine.set(id, intent);
    this.#dropAnswered();
    return [...left.values()];
  }

  /** Puts what was left behind in a file into `left`, and carries over what is still in flight. Answers the ids of the former. */
  #sort(file: string, left: Map<string, Intent>): Set<string> {
    const ids = new Set<string>();
    for (const entry of unfinished(nodeFs.readFileSync(file, 'utf8'))) {
      const { begin } = entry;
      if (this.#isGone(entry)) {
        ids.add(begin.id);
        left.set(begin.id, begin);
      } else this.#file.append(entry);
    }
    return ids;
  }

  /** Nothing is in flight any more. */
  close(): void {
    if (this.#mine.size === 0 && !this.#deleted) this.#tidy();
    this.#file.close();
  }

  /** Removes the journal, and what was set aside of it. Nothing is born again. */
  delete(): void {
    this.#deleted = true;
    this.#mine.clear();
    this.#held.clear();
    this.#file.close();
    for (const name of this.#names((each) => each === NAME || IS_ASIDE.test(each) || IS_CLAIM.test(each))) nodeFs.rmSync(path.join(this.#folder, name), { force: true });
  }

  #finish(id: string): void {
    const intent = this.#mine.get(id);
    if (!intent) return;
    this.#mine.delete(id);
    this.#appendEnd(id);
    // The undo's row is in the log: that says from now on that it was taken back, or may be tried again.
    if (intent.kind === 'undo') this.#releaseClaim(intent);
    for (const ids of this.#taken.values()) ids.delete(id);
    this.#dropAnswered();
    if (this.#mine.size === 0 && this.#file.size > TIDY_BYTES) this.#tidy();
  }

  /** Only its own: an undo that lost the race leaves the winner's alone. */
  #releaseClaim(intent: UndoIntent): void {
    try {
      const claim = this.#claimOf(intent);
      if (nodeFs.readFileSync(claim, 'utf8') === intent.id) nodeFs.rmSync(claim);
    } catch {
      // There is none.
    }
  }

  /** If this fails, the next start finds the row in the log and answers nothing twice. */
  #appendEnd(id: string): void {
    try {
      this.#file.append({ end: id });
    } catch {
      // As above.
    }
  }

  #tidy(): void {
    try {
      const aside = this.#setAside();
      if (aside === undefined) return;
      for (const entry of unfinished(nodeFs.readFileSync(aside, 'utf8'))) this.#file.append(entry);
      nodeFs.rmSync(aside, { force: true });
    } catch {
      // What was set aside is read at the next start.
    }
  }

  /** The journal, and files that others set aside and did not finish with, under names of ours. Of two processes that try, one gets each. */
  #takeOver(): string[] {
    const files: string[] = [];
    const own = this.#setAside();
    if (own !== undefined) files.push(own);
    for (const name of this.#names((each) => IS_ASIDE.test(each))) {
      const file = path.join(this.#folder, name);
      const pid = Number(IS_ASIDE.exec(name)?.[1]);
      if (file === own || this.#taken.has(file) || (pid !== process.pid && this.#isAlive(pid))) continue;
      const aside = this.#rename(file);
      if (aside !== undefined) files.push(aside);
    }
    return files;
  }

  #setAside(): string | undefined {
    this.#file.close();
    return this.#rename(path.join(this.#folder, NAME));
  }

  #rename(file: string): string | undefined {
    const aside = path.join(this.#folder, `in-flight.${process.pid}.${randomBytes(6).toString('hex')}.jsonl`);
    try {
      nodeFs.renameSync(file, aside);
      return aside;
    } catch {
      return undefined;
    }
  }

  #dropAnswered(): void {
    for (const [file, ids] of this.#taken) {
      if (ids.size > 0) continue;
      nodeFs.rmSync(file, { force: true });
      this.#taken.delete(file);
    }
  }

  #isGone({ w, pid, begin: { kind, at } }: Entry): boolean {
    if (w === this.#writer) return false;
    if (pid === process.pid || !this.#isAlive(pid)) return true;
    return kind !== 'run' && this.#now() - at > STALE_MICROS; // a run may be open for days
  }

  /** One file for each call that is being taken back: making it is the compare-and-set. */
  #claimOf({ of }: UndoIntent): string {
    if (!/^[0-9a-f]{16}$/.test(of)) throw new TypeError('an undo names its call by span id');
    return path.join(this.#folder, `in-flight.undo.${of}`);
  }

  #names(fits: (name: string) => boolean): readonly string[] {
    try {
      return nodeFs.readdirSync(this.#folder).filter(fits);
    } catch {
      return [];
    }
  }
}

/** Throws EEXIST if there is one. What could not be made whole is taken away again: it would stand for good. */
function makeClaim(file: string, id: string): void {
  const fd = nodeFs.openSync(file, 'wx', 0o600);
  try {
    nodeFs.writeSync(fd, id);
  } catch (error) {
    nodeFs.rmSync(file, { force: true });
    throw error;
  } finally {
    nodeFs.closeSync(fd);
  }
}
