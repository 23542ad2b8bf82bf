/** The compiler itself keeps calls that nobody judged from the handler. */
import { describe, expect, it } from 'vitest';
import type { Judged } from '../../src/core/call.ts';
import type { Cleared } from '../../src/core/clear.ts';
import type { execute } from '../../src/core/handler.ts';

type TakenByHandler = Parameters<typeof execute>[0];
type IsAssignable<From, To> = [From] extends [To] ? true : false;

describe('only a cleared call reaches the handler', () => {
  it('F046 a call that was judged and not cleared does not compile as one that may run', () => {
    const judged: IsAssignable<Judged, TakenByHandler> = false;
    const cleared: IsAssignable<Cleared, TakenByHandler> = true;
    expect([judged, cleared]).toEqual([false, true]);
  });
});
