/** The decision as a table: settings by the most specific, verdicts by the strictest, grants over ask alone. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate, judgement, reasonOf, resolve, type Facts, type Grant } from '../../src/core/policy.ts';
import type { Setting, Verdict } from '../../src/core/types.ts';

const GRANT: Grant = { approval: 'a-1', span: { traceId: 't', spanId: 's' } };
const FACTS: Facts = { effect: 'write', toolSetting: 'default', pluginSetting: 'default', listed: true, others: [] };

const SETTINGS: readonly Setting[] = ['allow', 'ask', 'deny', 'default'];
const VERDICTS: readonly Verdict[] = ['allow', 'ask', 'defer', 'deny'];

describe('the policy', () => {
  it.each([
    // tool, plugin, effect → verdict, source
    ['default', 'default', 'read', 'allow', 'builtin'],
    ['default', 'default', 'write', 'ask', 'builtin'],
    ['default', 'allow', 'read', 'allow', 'plugin'],
    ['default', 'allow', 'write', 'allow', 'plugin'],
    ['default', 'ask', 'read', 'ask', 'plugin'],
    ['default', 'ask', 'write', 'ask', 'plugin'],
    ['default', 'deny', 'read', 'deny', 'plugin'],
    ['default', 'deny', 'write', 'deny', 'plugin'],
    ['allow', 'deny', 'write', 'allow', 'tool'],
    ['allow', 'ask', 'read', 'allow', 'tool'],
    ['ask', 'allow', 'read', 'ask', 'tool'],
    ['ask', 'deny', 'write', 'ask', 'tool'],
    ['deny', 'allow', 'read', 'deny', 'tool'],
    ['deny', 'default', 'write', 'deny', 'tool'],
  ] as const)('F027 F033 tool %s, plugin %s, %s: %s by %s', (toolSetting, pluginSetting, effect, verdict, source) => {
    expect(resolve({ toolSetting, pluginSetting, effect })).toMatchObject({ verdict, source });
  });

  it('F034 F035 an untouched plugin can look but change nothing without a yes', () => {
    expect([resolve({ ...FACTS, effect: 'read' }).verdict, resolve(FACTS).verdict]).toEqual(['allow', 'ask']);
  });

  it('F261 B06 the strictest of two or three wins, in any position: deny, defer, ask, allow', () => {
    const order: readonly Verdict[] = ['allow', 'ask', 'defer', 'deny'];
    for (const setting of ['allow', 'ask', 'deny'] as const) {
      for (const second of [...VERDICTS, undefined]) {
        for (const third of [...VERDICTS, undefined]) {
          const others = [second, third].filter((verdict) => verdict !== undefined).map((verdict) => judgement(verdict, 'hook', ''));
          const strictest = [setting, ...others.map(({ verdict }) => verdict)].sort((a, b) => order.indexOf(b) - order.indexOf(a))[0];
          expect(evaluate({ ...FACTS, toolSetting: setting, others }).verdict).toBe(strictest);
          expect(evaluate({ ...FACTS, toolSetting: setting, others: [...others].reverse() }).verdict).toBe(strictest);
        }
      }
    }
  });

  it('F222 a tool outside the run\'s list is denied whatever its setting', () => {
    for (const toolSetting of SETTINGS) expect(evaluate({ ...FACTS, toolSetting, listed: false, grant: GRANT }).verdict).toBe('deny');
  });

  it('D02 a grant turns ask into allow, and says which approval it was', () => {
    expect(evaluate({ ...FACTS, grant: GRANT })).toEqual({ verdict: 'allow', source: 'grant', because: 'You allowed it for this run.', grant: GRANT });
  });

  it('B01 D02 no grant changes a deny or a defer, whatever else is decided', () => {
    const decision = fc.constantFrom(...VERDICTS).map((verdict) => judgement(verdict, 'hook', ''));
    fc.assert(
      fc.property(fc.constantFrom(...SETTINGS), fc.constantFrom(...SETTINGS), fc.constantFrom('read', 'write'), fc.boolean(), fc.array(decision, { maxLength: 4 }), (toolSetting, pluginSetting, effect, listed, others) => {
        const facts: Facts = { toolSetting, pluginSetting, effect: effect, listed, others };
        const without = evaluate(facts);
        const granted = evaluate({ ...facts, grant: GRANT });
        expect(granted.verdict).toBe(without.verdict === 'ask' ? 'allow' : without.verdict);
        if (without.verdict === 'deny') expect(granted).toEqual(without);
      }),
      { numRuns: 5_000 },
    );
  });

  it('D01 folding in any order comes to the same verdict', () => {
    const decision = fc.constantFrom(...VERDICTS).map((verdict) => judgement(verdict, 'guard', ''));
    fc.assert(fc.property(fc.array(decision, { maxLength: 6 }), fc.nat(), (others, seed) => {
      const turned = [...others.slice(seed % (others.length + 1)), ...others.slice(0, seed % (others.length + 1))];
      expect(evaluate({ ...FACTS, others: turned }).verdict).toBe(evaluate({ ...FACTS, others }).verdict);
    }));
  });

  it.each([['tool', 'policy'], ['plugin', 'policy'], ['builtin', 'policy'], ['run_list', 'policy'], ['grant', 'policy'], ['unrestricted', 'policy'], ['hook', 'hook'], ['guard', 'guard'], ['log', 'log']] as const)('D06 a refusal that rests on %s has the reason %s', (source, reason) => {
    expect(reasonOf(source)).toBe(reason);
  });
});
