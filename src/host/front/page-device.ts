/**
 * An open page as a device: questions go out over a stream of events, answers come back as requests. Each page that is open
 * is a device of its own; all are told at once, and the first answer wins (F262–F264, D12).
 */
import type { ServerResponse } from 'node:http';
import type { Device, Question, Settlement } from '../../core/questions.ts';
import type { PageEventName, PageEvents } from '../page/wire.ts';

/** A page that takes nothing for so long that this much waits for it is cut off; it comes back by itself. */
const BACKLOG_LIMIT = 16 * 1024 * 1024;

export class PageDevice implements Device {
  readonly name = 'the page';
  readonly kind = 'dialog';
  /** Names this page in its requests. */
  readonly id: string;
  readonly #res: ServerResponse;
  #started = false;
  #open: { readonly question: Question; readonly seen: () => void } | undefined;

  constructor(id: string, res: ServerResponse) {
    this.id = id;
    this.#res = res;
  }

  present(question: Question, seen: () => void): void {
    const isOpen = this.#open?.question.id === question.id;
    this.#open = { question, seen };
    if (!this.#started) return; // the first event holds it
    const { id, waiting, remainingMs } = question;
    // The arguments may be a megabyte: they are sent once.
    if (isOpen) this.send('waiting', { id, waiting, remainingMs });
    else this.send('question', question);
  }

  close(settlement: Settlement): void {
    if (this.#open?.question.id === settlement.id) this.#open = undefined;
    this.send('close', settlement);
  }

  /** Sends the first event, with the question that is open. */
  start(state: Omit<PageEvents['state'], 'page' | 'question'>): void {
    this.#started = true;
    const question = this.#open?.question;
    this.send('state', { page: this.id, ...state, ...(question ? { question } : {}) });
  }

  /** A person could read the question. */
  seen(id: string): void {
    if (this.#open?.question.id === id) this.#open.seen();
  }

  send<Name extends PageEventName>(name: Name, data: PageEvents[Name]): void {
    if (!this.#started) return;
    // JSON has no raw line breaks, so one line holds it.
    this.#write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** Shows both sides that the other is there. */
  heartbeat(): void {
    this.#write(': still here\n\n');
  }

  /** Ends the stream. */
  end(): void {
    this.#res.end();
  }

  #write(text: string): void {
    if (this.#res.writableEnded || this.#res.destroyed) return;
    this.#res.write(text);
    if (this.#res.writableLength > BACKLOG_LIMIT) this.#res.destroy();
  }
}
