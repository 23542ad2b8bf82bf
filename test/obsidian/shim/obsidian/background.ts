/** Whether the person is looking: the app behind other windows, and the system's notifications, recorded instead of shown. */

export interface Notified { readonly title: string; readonly body: string; readonly silent: boolean; closed: boolean }

const shown: { readonly notified: Notified; readonly made: EventTarget }[] = [];

/** Stands for `Notification`: always permitted, never shown. */
class RecordedNotification extends EventTarget {
  static readonly permission = 'granted';
  static requestPermission(): Promise<string> { return Promise.resolve('granted'); }

  onclick: ((event: Event) => unknown) | null = null;
  onclose: ((event: Event) => unknown) | null = null;
  readonly title: string;
  readonly body: string;
  readonly #notified: Notified;

  constructor(title: string, { body = '', silent = false }: NotificationOptions = {}) {
    super();
    this.title = title;
    this.body = body;
    this.#notified = { title, body, silent: silent ?? false, closed: false };
    shown.push({ notified: this.#notified, made: this });
    this.addEventListener('click', (event) => this.onclick?.(event));
    this.addEventListener('close', (event) => this.onclose?.(event));
  }

  close(): void {
    this.#notified.closed = true;
    this.dispatchEvent(new Event('close'));
  }
}

export function recordNotifications(): void {
  Object.defineProperty(window, 'Notification', { configurable: true, writable: true, value: RecordedNotification });
}

export function notifications(): Notified[] {
  return shown.map(({ notified }) => ({ ...notified }));
}

/** As the person clicking on it, counted from 0. */
export function clickNotification(at: number): void {
  shown[at]?.made.dispatchEvent(new Event('click'));
}

/** All windows go behind others, or come back. */
export function setBackground(windows: readonly Window[], hidden: boolean): void {
  for (const win of windows) {
    const { document: doc } = win;
    Object.defineProperties(doc, {
      hidden: { configurable: true, get: () => hidden },
      visibilityState: { configurable: true, get: () => (hidden ? 'hidden' : 'visible') },
      hasFocus: { configurable: true, value: () => !hidden },
    });
    doc.dispatchEvent(new Event('visibilitychange'));
    win.dispatchEvent(new Event(hidden ? 'blur' : 'focus'));
  }
}
