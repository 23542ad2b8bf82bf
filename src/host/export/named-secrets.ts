/**
 * Secrets by name, for the headers of traces: in the state folder of this device, readable by the user alone, and never in
 * the settings, which may be synced. Each belongs to one origin: whoever changes the endpoint in the settings does not get
 * the secret that was meant for another.
 */
import path from 'node:path';
import { AdvisedError } from '../../node/advised-error.ts';
import { objectOf, readJson, writeJson } from '../../node/json-file.ts';

const FILE = 'named-secrets.json';
const NAME = /^[\w.-]{1,100}$/;

interface Secret {
  readonly value: string;
  readonly origin: string;
}

export class NamedSecrets {
  readonly #file: string;

  constructor(stateFolder: string) {
    this.#file = path.join(stateFolder, FILE);
  }

  /** `undefined` if there is none, or it was set for another origin. */
  get(name: string, origin: string): string | undefined {
    const secret = this.#all().get(name);
    return secret?.origin === origin ? secret.value : undefined;
  }

  /** Names, each with the origin that it is for. */
  list(): readonly (readonly [name: string, origin: string])[] {
    return [...this.#all()].map(([name, { origin }]) => [name, origin] as const).sort();
  }

  /** Throws a {@link AdvisedError}. */
  set(name: string, value: string, origin: string): void {
    if (!NAME.test(name)) throw new AdvisedError('A secret needs a name of letters, digits, dots, hyphens and underscores.', 'For example: collector-token', 2);
    if (!/^[\t\x20-\x7e]+$/.test(value)) throw new AdvisedError('This cannot stand in a header: plain letters, digits and signs only, on one line.', 'Give the secret as it is, for example: Bearer abc', 2);
    this.#save(this.#all().set(name, { value, origin }));
  }

  /** Throws a {@link AdvisedError} if there is none. */
  delete(name: string): void {
    const all = this.#all();
    if (!all.delete(name)) throw new AdvisedError('There is no secret of this name.', 'See model-hub secret list.');
    this.#save(all);
  }

  #save(all: ReadonlyMap<string, Secret>): void {
    try {
      writeJson(this.#file, Object.fromEntries(all), 0o600);
    } catch {
      throw new AdvisedError(`${FILE} cannot be written.`, 'Let your user write to the state folder.');
    }
  }

  #all(): Map<string, Secret> {
    try {
      return new Map(Object.entries(objectOf(readJson(this.#file))).flatMap(([name, each]): [string, Secret][] => {
        const { value, origin } = objectOf(each);
        return typeof value === 'string' && typeof origin === 'string' ? [[name, { value, origin }]] : [];
      }));
    } catch {
      throw new AdvisedError(`${FILE} in the state folder cannot be read.`, 'Mend it, or delete it and set the secrets again.');
    }
  }
}
