/**
 * Reads the few fields that totals need from the bytes of a call's row, without making an object of it: a quarter of what
 * parsing costs. It knows rows as `row-json.ts` writes them, key by key; of any other line it says that it does not know it, and the
 * line is to be parsed. It never takes a line that parsing would refuse, and none without its newline.
 */
const ascii = (key: string): Uint8Array => new TextEncoder().encode(key);

const BEGIN = ascii('{"v":1,"kind":"call","id":"');
const TRACE = ascii(',"trace":"');
const TIME = ascii(',"time":"');
const RUN = ascii(',"run":"');
const CLIENT = ascii(',"client":{"kind":"');
const NAME = ascii(',"name":"');
const SINGLE = ascii(',"single":true');
const PLUGIN = ascii(',"plugin":"');
const TOOL = ascii(',"tool":"');
const EFFECT = ascii(',"effect":"');
const REPLAY = ascii(',"replay":"');
const ARGS = ascii(',"args":"');
const SIZE = ascii(',"size":');
const POLICY = ascii(',"policy":');
const OUTCOME = ascii(',"outcome":"');
const CODE = ascii(',"code":"');
const REASON = ascii(',"reason":"');
const MESSAGE = ascii(',"message":"');
const WAIT_MS = ascii(',"waitMs":');
const MS = ascii(',"ms":');
const APPROVAL = ascii(',"approval":');
const GRANT = ascii(',"grant":"');
const GRANTED = ascii(',"granted":');
const CALLER = ascii(',"caller":');
const WIRE = ascii(',"wire":');
const CHARS = ascii(',"chars":');
const CUT = ascii(',"cut":true');
const UNDO = ascii(',"undo":"');
const SPANS = ascii(',"spans":{"run":"');
const WAIT = ascii(',"wait":"');
const EXEC = ascii(',"exec":"');
const US = ascii(',"us":{');
const WAITED = ascii('"wait":[');
const EXECUTED = ascii('"exec":[');
const END = ascii('"end":');
const LATE = ascii(',"late":true');
const WRITER = ascii(',"w":"');
const COUNTER = ascii(',"n":');
const PREV = ascii(',"prev":"');

const LF = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const CLOSE_LIST = 0x5d;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const COLON = 0x3a;
const LONGEST_NUMBER = 15;
/** Bytes that a text may hold as they are: plain ASCII. What is escaped, or of another alphabet, is parsed. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, code) => (code >= 0x20 && code <= 0x7e && code !== QUOTE && code !== 0x5c ? 1 : 0));
/** Where the line is not as this version writes it. */
const OTHER = -1;

/** Where a text stands in the bytes: between its quotes. */
export interface Stretch { from: number; to: number }

export class CallBytes {
  readonly time: Stretch = { from: 0, to: 0 };
  readonly run: Stretch = { from: 0, to: 0 };
  readonly client: Stretch = { from: 0, to: 0 };
  readonly tool: Stretch = { from: 0, to: 0 };
  readonly outcome: Stretch = { from: 0, to: 0 };
  readonly writer: Stretch = { from: 0, to: 0 };
  /** True if the run is this one call. */
  single = false;
  /** Milliseconds in the handler; -1 where it was not entered. */
  ms = -1;
  n = 0;

  /** Where the newline stands of the line that begins there, if that is a call's row as this version writes it: the fields are then those of the row. Else -1. */
  read(bytes: Uint8Array, from: number): number {
    const end = this.#place(bytes, this.#after(bytes, this.#what(bytes, this.#who(bytes, from))));
    return end !== OTHER && bytes[end] === LF ? end : OTHER;
  }

  /** From the first brace to the tool. */
  #who(bytes: Uint8Array, from: number): number {
    let at = text(bytes, word(bytes, from, BEGIN));
    at = text(bytes, word(bytes, at, TRACE));
    at = this.#keep(bytes, word(bytes, at, TIME), this.time);
    at = this.#keep(bytes, word(bytes, at, RUN), this.run);
    at = text(bytes, word(bytes, at, CLIENT));
    at = byte(bytes, this.#keep(bytes, word(bytes, at, NAME), this.client), CLOSE);
    this.single = has(bytes, at, SINGLE);
    if (this.single) at += SINGLE.length;
    return this.#keep(bytes, word(bytes, maybeText(bytes, at, PLUGIN), TOOL), this.tool);
  }

  /** From the effect to the message. */
  #what(bytes: Uint8Array, from: number): number {
    let at = maybeText(bytes, from, EFFECT);
    at = maybeText(bytes, at, REPLAY);
    at = maybeText(bytes, at, ARGS);
    at = maybeNumber(bytes, at, SIZE);
    at = maybeObject(bytes, at, POLICY);
    at = this.#keep(bytes, word(bytes, at, OUTCOME), this.outcome);
    at = maybeText(bytes, at, CODE);
    at = maybeText(bytes, at, REASON);
    return maybeText(bytes, at, MESSAGE);
  }

  /** From the times to the undo handle. */
  #after(bytes: Uint8Array, from: number): number {
    let at = maybeNumber(bytes, from, WAIT_MS);
    this.ms = -1;
    if (has(bytes, at, MS)) {
      const begin = at + MS.length;
      at = number(bytes, begin);
      this.ms = value(bytes, begin, at);
    }
    at = maybeObject(bytes, at, APPROVAL);
    at = maybeText(bytes, at, GRANT);
    at = maybeObject(bytes, at, GRANTED);
    at = maybeObject(bytes, at, CALLER);
    at = maybeObject(bytes, at, WIRE);
    at = maybeNumber(bytes, at, CHARS);
    if (has(bytes, at, CUT)) at += CUT.length;
    return maybeText(bytes, at, UNDO);
  }

  /** The ids and times of its spans, and its place in the chain. */
  #place(bytes: Uint8Array, from: number): number {
    let at = text(bytes, word(bytes, from, SPANS));
    at = maybeText(bytes, at, WAIT);
    at = byte(bytes, maybeText(bytes, at, EXEC), CLOSE);
    at = maybeNumbers(bytes, word(bytes, at, US), WAITED);
    at = maybeNumbers(bytes, at, EXECUTED);
    at = byte(bytes, number(bytes, word(bytes, at, END)), CLOSE);
    if (has(bytes, at, LATE)) at += LATE.length;
    at = this.#keep(bytes, word(bytes, at, WRITER), this.writer);
    const begin = word(bytes, at, COUNTER);
    at = number(bytes, begin);
    this.n = value(bytes, begin, at);
    if (!Number.isSafeInteger(this.n)) return OTHER;
    return byte(bytes, maybeText(bytes, at, PREV), CLOSE);
  }

  #keep(bytes: Uint8Array, from: number, stretch: Stretch): number {
    const at = text(bytes, from);
    stretch.from = from;
    stretch.to = at - 1;
    return at;
  }
}

// Each answers where to read on: behind what it passed. Where that does not stand there, and from OTHER on, it is OTHER.

function has(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  if (at === OTHER || at + wanted.length > bytes.length) return false;
  for (let i = 0; i < wanted.length; i++) if (bytes[at + i] !== wanted[i]) return false;
  return true;
}

function word(bytes: Uint8Array, at: number, wanted: Uint8Array): number {
  return has(bytes, at, wanted) ? at + wanted.length : OTHER;
}

function byte(bytes: Uint8Array, at: number, wanted: number): number {
  return at !== OTHER && at < bytes.length && bytes[at] === wanted ? at + 1 : OTHER;
}

/** A text behind its opening quote, and the closing one. */
function text(bytes: Uint8Array, from: number): number {
  if (from === OTHER) return OTHER;
  let at = from;
  while (at < bytes.length && PLAIN[bytes[at]!] === 1) at++;
  return byte(bytes, at, QUOTE);
}

/** Digits, with or without a fraction. Signs and powers of ten are not ours. */
function number(bytes: Uint8Array, from: number): number {
  if (from === OTHER) return OTHER;
  const whole = digits(bytes, from);
  // 07 is no number.
  if (whole === from || (bytes[from] === ZERO && whole - from > 1)) return OTHER;
  if (whole === bytes.length || bytes[whole] !== DOT) return whole - from > LONGEST_NUMBER ? OTHER : whole;
  const end = digits(bytes, whole + 1);
  return end === whole + 1 || end - from > LONGEST_NUMBER ? OTHER : end;
}

function digits(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at]! >= ZERO && bytes[at]! <= NINE) at++;
  return at;
}

/** What the number says that stands there. */
function value(bytes: Uint8Array, from: number, to: number): number {
  let sum = 0;
  let scale = 0;
  for (let at = from; at < to; at++) {
    if (bytes[at] === DOT) scale = 1;
    else {
      sum = sum * 10 + (bytes[at]! - ZERO);
      scale *= 10;
    }
  }
  return scale === 0 ? sum : sum / scale;
}

function maybeText(bytes: Uint8Array, at: number, key: Uint8Array): number {
  return has(bytes, at, key) ? text(bytes, at + key.length) : at;
}

function maybeNumber(bytes: Uint8Array, at: number, key: Uint8Array): number {
  return has(bytes, at, key) ? number(bytes, at + key.length) : at;
}

/** Numbers behind the bracket that opens their list, and the comma that follows it. */
function maybeNumbers(bytes: Uint8Array, from: number, key: Uint8Array): number {
  if (!has(bytes, from, key)) return from;
  let at = number(bytes, from + key.length);
  while (at !== OTHER && bytes[at] === COMMA) at = number(bytes, at + 1);
  return byte(bytes, byte(bytes, at, CLOSE_LIST), COMMA);
}

/** A flat object of texts and numbers. */
function maybeObject(bytes: Uint8Array, from: number, key: Uint8Array): number {
  if (!has(bytes, from, key)) return from;
  let at = member(bytes, byte(bytes, from + key.length, OPEN));
  while (at !== OTHER && bytes[at] === COMMA) at = member(bytes, at + 1);
  return byte(bytes, at, CLOSE);
}

function member(bytes: Uint8Array, from: number): number {
  const at = byte(bytes, text(bytes, byte(bytes, from, QUOTE)), COLON);
  const inText = byte(bytes, at, QUOTE);
  return inText === OTHER ? number(bytes, at) : text(bytes, inText);
}
