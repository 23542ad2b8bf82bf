/** Every attempt to reach the network that a plugin makes, by whatever door, and the switch that lets all of them fail. */

export interface Attempt {
  /** The door: of the browser (`fetch`, `xhr`, `websocket`, `image` …) or of Node (`http`, `net`, `requestUrl`). */
  readonly via: string;
  readonly url: string;
}

export class Network {
  readonly attempts: Attempt[] = [];
  refuses = false;

  /** Throws what a machine without network throws, once attempts are refused. */
  attempt(via: string, url: string): void {
    this.attempts.push({ via, url });
    if (this.refuses) throw Object.assign(new Error(`connect ECONNREFUSED ${url}`), { code: 'ECONNREFUSED', syscall: 'connect' });
  }
}
