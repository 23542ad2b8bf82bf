/**
 * What a call comes to, from plain facts and without doing anything: settings are resolved by the most specific, decisions
 * are folded by the strictest, and a grant turns only *ask* into *allow* (D01, D02). One `evaluate` serves the first
 * decision, the look at the waiting questions after a grant, and the second look after an answer.
 */
import type { DenyReason, Effect, PolicySource, Setting, Verdict } from './types.ts';

/** A verdict with what it rests on, and why in a sentence for people. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly source: PolicySource;
  readonly because: string;
  /** The approval whose grant let the call through. */
  readonly grant?: Grant;
}

/** A yes that covers later calls: the approval's id, and its wait span for the link. */
export interface Grant {
  readonly approval: string;
  readonly span: { readonly traceId: string; readonly spanId: string };
}

export interface Facts {
  readonly effect: Effect;
  readonly toolSetting: Setting;
  readonly pluginSetting: Setting;
  /** False if the run has a list of tools and this one is not on it (F222). */
  readonly listed: boolean;
  /** What hooks and guards say, and the hub itself. Those that abstain are not here. */
  readonly others: readonly Judgement[];
  /** A grant that covers this call. */
  readonly grant?: Grant | undefined;
}

const RANK: { readonly [V in Verdict]: number } = { allow: 0, ask: 1, defer: 2, deny: 3 };

const BUILTIN_READ = judgement('allow', 'builtin', 'Reads run freely unless you set otherwise.');
const BUILTIN_WRITE = judgement('ask', 'builtin', 'Writes ask unless you set otherwise.');
const NOT_LISTED = judgement('deny', 'run_list', 'The run was opened for other tools.');
const BY_TOOL = settings('tool', 'this tool');
const BY_PLUGIN = settings('plugin', 'this plugin');

/** The judgement of a call. */
export function evaluate(facts: Facts): Judgement {
  let strictest = resolve(facts);
  if (!facts.listed) strictest = stricter(strictest, NOT_LISTED);
  for (const other of facts.others) strictest = stricter(strictest, other);
  if (facts.grant && strictest.verdict === 'ask') {
    return { verdict: 'allow', source: 'grant', because: 'You allowed it for this run.', grant: facts.grant };
  }
  return strictest;
}

/** The setting in force: the tool's, the plugin's, the built-in rule; the first that is set decides (F031–F034). */
export function resolve({ toolSetting, pluginSetting, effect }: Pick<Facts, 'toolSetting' | 'pluginSetting' | 'effect'>): Judgement {
  if (toolSetting !== 'default') return BY_TOOL[toolSetting];
  if (pluginSetting !== 'default') return BY_PLUGIN[pluginSetting];
  return effect === 'read' ? BUILTIN_READ : BUILTIN_WRITE;
}

/** The stricter of two; the first where they are alike. */
function stricter(a: Judgement, b: Judgement): Judgement {
  return RANK[b.verdict] > RANK[a.verdict] ? b : a;
}

export function judgement(verdict: Verdict, source: PolicySource, because: string): Judgement {
  return Object.freeze({ verdict, source, because });
}

/** The reason that a refusal carries for what it rests on (D06). */
export function reasonOf(source: PolicySource): DenyReason {
  switch (source) {
    case 'tool':
    case 'plugin':
    case 'builtin':
    case 'run_list':
    case 'grant':
    case 'unrestricted':
      return 'policy';
    case 'hook':
      return 'hook';
    case 'guard':
      return 'guard';
    case 'log':
      return 'log';
  }
}

function settings(source: 'tool' | 'plugin', what: string): { readonly [S in Exclude<Setting, 'default'>]: Judgement } {
  return {
    allow: judgement('allow', source, `You set ${what} to Allow.`),
    ask: judgement('ask', source, `You set ${what} to Ask.`),
    deny: judgement('deny', source, `You set ${what} to Deny.`),
  };
}
