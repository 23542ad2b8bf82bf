/** `base64url`, which the package for browsers lacks: taught to its Buffer once, when the page starts. */
import { Buffer } from 'node:buffer';

type From = (data: unknown, encoding?: unknown, length?: unknown) => Buffer;

export function teachBase64url(): void {
  const from = Buffer.from.bind(Buffer) as From;
  const toString = Buffer.prototype.toString;
  Object.assign(Buffer, {
    from: (data: unknown, encoding?: unknown, length?: unknown) => (encoding === 'base64url' ? from(data, 'base64') : from(data, encoding, length)),
  });
  Buffer.prototype.toString = function (this: Buffer, encoding?: BufferEncoding, start?: number, end?: number) {
    if (encoding !== 'base64url') return toString.call(this, encoding, start, end);
    return toString.call(this, 'base64', start, end).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  };
}
