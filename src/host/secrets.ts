/**
 * The secrets of this device for one vault, made at the first start and readable by the user alone: the key of the
 * arguments' hashes, the token for MCP clients, the key of the page, and the vault's random id.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { AdvisedError } from '../node/advised-error.ts';
import { objectOf, readJson, writeJson, writeNewJson } from '../node/json-file.ts';

export interface Secrets {
  /** Names the vault in traces; says nothing about its path. */
  readonly vaultId: string;
  /** 32 bytes, hexadecimal (D25). */
  readonly hashKey: string;
  /** What MCP clients send as a bearer token. Answers no question: that takes the page's key. */
  readonly mcpToken: string;
  /** Opens the page. Never given to a client. */
  readonly pageKey: string;
}

export const SECRETS_FILE = 'secrets.json';
/** Anything else would be read as a shorter key, or none. */
const HASH_KEY = /^[0-9a-f]{64}$/;

export function loadSecrets(stateFolder: string): Secrets {
  const file = join(stateFolder, SECRETS_FILE);
  let found: unknown;
  try {
    found = readJson(file);
  } catch {
    throw new AdvisedError(`${SECRETS_FILE} in the state folder cannot be read.`, 'Mend it, or delete it: clients then need the new token, and hashes of old rows can no longer be recomputed.');
  }
  const { vaultId, hashKey, mcpToken, pageKey } = objectOf(found);
  if ([vaultId, mcpToken, pageKey].every((value) => typeof value === 'string' && value !== '') && typeof hashKey === 'string' && HASH_KEY.test(hashKey)) {
    return { vaultId, hashKey, mcpToken, pageKey } as Secrets;
  }
  if (found !== undefined) throw new AdvisedError(`${SECRETS_FILE} in the state folder is not complete.`, 'Mend it, or delete it: clients then need the new token.');
  const made: Secrets = { vaultId: randomUUID(), hashKey: randomBytes(32).toString('hex'), mcpToken: randomBytes(24).toString('base64url'), pageKey: randomBytes(24).toString('base64url') };
  try {
    writeNewJson(file, made, 0o600);
    return made;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return loadSecrets(stateFolder); // another start was first: its secrets hold
    writeJson(file, made, 0o600); // a file system without hard links
    return made;
  }
}
