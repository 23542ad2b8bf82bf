/**
 * The published file of types and the source say the same. The compiler does half of the work: this file does not pass
 * `npm run types` unless every assignment below is allowed.
 */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type * as published from '../../src/api/model-hub-api.d.ts';
import type * as meeting from '../../src/api/on-hub-ready.ts';
import type * as source from '../../src/core/types.ts';

/** The second type if it is the first, seen from both sides, and neither is `any`; otherwise `never`. */
type Same<A, B> = 0 extends (1 & A) | (1 & B) ? never : [A] extends [B] ? ([B] extends [A] ? true : never) : never;

const SAME: readonly true[] = [
  true satisfies Same<published.HubApi, source.HubApi>,
  true satisfies Same<published.HubTool, source.HubTool>,
  true satisfies Same<published.UndoFunction, source.UndoFunction>,
  true satisfies Same<published.HubErrorShape, source.HubErrorShape>,
  true satisfies Same<published.ToolCallRow, source.ToolCallRow>,
  true satisfies Same<published.ToolContext, source.ToolContext>,
  true satisfies Same<published.Description, source.Description>,
  true satisfies Same<typeof published.onHubReady, typeof meeting.onHubReady>,
  true satisfies Same<Parameters<Parameters<typeof meeting.onHubReady>[3]>[0], source.HubApi>,
];

describe('model-hub-api.d.ts', () => {
  it('F170 is made from the source, and up to date', () => {
    expect(() => execFileSync(process.execPath, ['.config/make-api.mjs', '--check'], { stdio: 'pipe' })).not.toThrow();
  });

  it('F170 F172 names the same types as the source, both ways', () => {
    expect(SAME).toHaveLength(9);
  });
});
