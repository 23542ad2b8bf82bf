/**
 * Reads the few fields that totals need from the bytes of a call's row, without making an object of it: a quarter of what
 * parsing costs. It knows rows as `row-json.ts` writes them, key by key; of any other line it says that it does not know it, and the
 * line is to be parsed. It never takes a line that parsing would refuse.
 */
const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);

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

const QUOTE = 0x22;
const COMMA = 0x2c;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const CLOSE_LIST = 0x5d;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const COLON = 0x3a;
const LONGEST_NUMBER = 15;

/** Where a text stands in the line: between its quotes. */
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
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #number = 0;

  /** True if the line is a call's row as this version writes it; the fields are then those of the row. */
  read(line: Uint8Array): boolean {
    this.#bytes = line;
    this.#at = 0;
    this.ms = -1;
    return this.#who() && this.#what() && this.#after() && this.#place() && this.#at === line.length;
  }

  /** From the first brace to the tool. */
  #who(): boolean {
    if (!(this.#is(BEGIN) && this.#text() && this.#is(TRACE) && this.#text() && this.#is(TIME) && this.#text(this.time))) return false;
    if (!(this.#is(RUN) && this.#text(this.run) && this.#is(CLIENT) && this.#text() && this.#is(NAME) && this.#text(this.client) && this.#byte(CLOSE))) return false;
    this.single = this.#is(SINGLE);
    return this.#maybeText(PLUGIN) && this.#is(TOOL) && this.#text(this.tool);
  }

  /** From the effect to the message. */
  #what(): boolean {
    if (!(this.#maybeText(EFFECT) && this.#maybeText(REPLAY) && this.#maybeText(ARGS) && this.#maybeNumber(SIZE) && this.#maybeObject(POLICY))) return false;
    return this.#is(OUTCOME) && this.#text(this.outcome) && this.#maybeText(CODE) && this.#maybeText(REASON) && this.#maybeText(MESSAGE);
  }

  /** From the times to the undo handle. */
  #after(): boolean {
    if (!this.#maybeNumber(WAIT_MS)) return false;
    if (this.#is(MS)) {
      if (!this.#decimal()) return false;
      this.ms = this.#number;
    }
    if (!(this.#maybeObject(APPROVAL) && this.#maybeText(GRANT) && this.#maybeObject(GRANTED) && this.#maybeObject(CALLER) && this.#maybeObject(WIRE))) return false;
    if (!this.#maybeNumber(CHARS)) return false;
    this.#is(CUT);
    return this.#maybeText(UNDO);
  }

  /** The ids and times of its spans, and its place in the chain. */
  #place(): boolean {
    if (!(this.#is(SPANS) && this.#text() && this.#maybeText(WAIT) && this.#maybeText(EXEC) && this.#byte(CLOSE) && this.#is(US))) return false;
    if (!(this.#maybeNumbers(WAITED) && this.#maybeNumbers(EXECUTED) && this.#is(END) && this.#decimal() && this.#byte(CLOSE))) return false;
    this.#is(LATE);
    if (!(this.#is(WRITER) && this.#text(this.writer) && this.#is(COUNTER) && this.#decimal() && Number.isSafeInteger(this.#number))) return false;
    this.n = this.#number;
    return this.#maybeText(PREV) && this.#byte(CLOSE);
  }

  #is(word: Uint8Array): boolean {
    const bytes = this.#bytes;
    const at = this.#at;
    for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word[i]) return false;
    this.#at = at + word.length;
    return true;
  }

  #byte(byte: number): boolean {
    if (this.#bytes[this.#at] !== byte) return false;
    this.#at++;
    return true;
  }

  /** A text behind its opening quote, and the closing one. Of plain ASCII: what is escaped, or of another alphabet, is parsed. */
  #text(stretch?: Stretch): boolean {
    const bytes = this.#bytes;
    const from = this.#at;
    let at = from;
    for (; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (byte === QUOTE) break;
      if (byte < 0x20 || byte > 0x7e || byte === BACKSLASH) return false;
    }
    if (at === bytes.length) return false;
    if (stretch) {
      stretch.from = from;
      stretch.to = at;
    }
    this.#at = at + 1;
    return true;
  }

  #maybeText(key: Uint8Array): boolean {
    return !this.#is(key) || this.#text();
  }

  #maybeNumber(key: Uint8Array): boolean {
    return !this.#is(key) || this.#decimal();
  }

  /** Digits, with or without a fraction. Signs and powers of ten are not ours. */
  #decimal(): boolean {
    const bytes = this.#bytes;
    const from = this.#at;
    let at = from;
    let value = 0;
    let scale = 0;
    for (; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (byte >= ZERO && byte <= NINE) {
        value = value * 10 + (byte - ZERO);
        scale *= 10;
      } else if (byte === DOT && scale === 0 && at > from) scale = 1;
      else break;
    }
    const last = bytes[at - 1];
    if (at === from || at - from > LONGEST_NUMBER || last === DOT) return false;
    if (bytes[from] === ZERO && at - from > 1 && bytes[from + 1] !== DOT) return false; // 07 is no number
    this.#number = scale === 0 ? value : value / scale;
    this.#at = at;
    return true;
  }

  /** Numbers behind the bracket that opens their list, and the comma that follows it. */
  #maybeNumbers(key: Uint8Array): boolean {
    if (!this.#is(key)) return true;
    do if (!this.#decimal()) return false;
    while (this.#byte(COMMA));
    return this.#byte(CLOSE_LIST) && this.#byte(COMMA);
  }

  /** A flat object of texts and numbers. */
  #maybeObject(key: Uint8Array): boolean {
    if (!this.#is(key)) return true;
    if (!this.#byte(OPEN)) return false;
    do {
      if (!(this.#byte(QUOTE) && this.#text() && this.#byte(COLON))) return false;
      if (!(this.#byte(QUOTE) ? this.#text() : this.#decimal())) return false;
    } while (this.#byte(COMMA));
    return this.#byte(CLOSE);
  }
}
