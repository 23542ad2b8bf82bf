/** Tells which paths of a vault changed on disk, whoever changed them, shortly after it happened. */
import { watch, type FSWatcher } from 'node:fs';

/** A rename arrives as several events; one look at the disk answers them all. */
const GATHERING_MS = 30;

/** `changed` gets paths relative to the folder, with `/`. Ends with the returned watcher's `close`. */
export function watchVault(folder: string, changed: (paths: readonly string[]) => void): FSWatcher {
  const gathered = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(folder, { recursive: true }, (_, name) => {
    if (name === null) return;
    gathered.add(name.replaceAll('\\', '/'));
    timer ??= setTimeout(() => {
      timer = undefined;
      const paths = [...gathered];
      gathered.clear();
      changed(paths);
    }, GATHERING_MS);
  });
  watcher.on('error', () => undefined); // a folder that goes while it is looked at
  watcher.on('close', () => clearTimeout(timer));
  return watcher;
}
