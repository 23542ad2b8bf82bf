/** The keyed hash over Node, held against published vectors. */
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NodeCrypto } from '../../src/node/node-crypto.ts';

describe('hashes', () => {
  it('D25 the keyed hash is HMAC-SHA-256, whatever the key and the text, long ones too', () => {
    const key = fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('hex'));
    const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.nat(9_000).map((length) => 'ü'.repeat(length)));
    fc.assert(fc.property(key, fc.array(text, { minLength: 1, maxLength: 3 }), (secret, texts) => {
      const crypto = new NodeCrypto(secret);
      for (const each of texts) expect(crypto.hashArguments(each)).toBe(`hmac-sha256:${createHmac('sha256', Buffer.from(secret, 'hex')).update(each).digest('hex')}`);
    }), { numRuns: 500 });
  });

  it('D25 RFC 4231 test case 2 comes out to the letter', () => {
    expect(new NodeCrypto(Buffer.from('Jefe').toString('hex')).hashArguments('what do ya want for nothing?')).toBe('hmac-sha256:5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843');
  });

  it('D25 without a key the hash is plain SHA-256', () => {
    expect(new NodeCrypto(undefined).hashArguments('abc')).toBe('sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
