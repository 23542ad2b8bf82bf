/** Cutting a result, over texts of every kind. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cut } from '../../src/core/result.ts';

describe('cutting a result', () => {
  it('F097 D23 whatever the text and the limit: the first part of it, never longer, never half a pair, and the rest counted', () => {
    const json = fc.string({ unit: 'binary', minLength: 2, maxLength: 300 });
    fc.assert(fc.property(json, fc.nat(299), (text, at) => {
      const limit = 1 + (at % (text.length - 1));
      const { result, originalChars, truncated, cut: words } = cut(text, limit);
      expect(text.startsWith(result)).toBe(true);
      expect([limit, limit - 1]).toContain(result.length);
      expect(result.isWellFormed()).toBe(true);
      expect([truncated, originalChars]).toEqual([true, text.length]);
      expect(words).toContain(`${text.length - result.length} of ${text.length} characters`);
    }), { numRuns: 2_000 });
  });
});
