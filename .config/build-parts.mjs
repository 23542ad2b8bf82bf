/** `npm run parts`: builds the collector and Jaeger for the tests if they are not there yet, and prints where each is. */
import { builtPart, buildPart, haveGo } from './parts.mjs';

const names = ['collector', 'jaeger'];
if (!haveGo() && names.some((name) => !builtPart(name))) {
  process.stderr.write('They are built with Go 1.26 or later, which is not here. Install it, then run the command again.\n');
  process.exit(1);
}
for (const name of names) process.stdout.write(`${name}\t${await buildPart(name)}\n`);
