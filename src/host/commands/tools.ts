/**
 * `model-hub tools`: the tools of a vault with the policy in force, and settings from the command line.
 */
import { AdvisedError } from '../../node/advised-error.ts';
import type { Setting } from '../../core/types.ts';
import type { Hub } from '../../core/hub.ts';
import { openGateHost } from '../gate-host.ts';
import type { CommandLine } from '../options.ts';
import { findPlaces } from '../places.ts';
import { columns } from './columns.ts';

export async function toolsCommand({ vault, state, json, set }: CommandLine, print: (text: string) => void, notice: (text: string) => void): Promise<void> {
  const host = await openGateHost({ places: findPlaces({ vault, state }), notice });
  try {
    for (const change of set) apply(host.hub, change);
    const tools = host.hub.tools();
    if (json) print(JSON.stringify(tools, null, 2));
    else print(columns(['TOOL', 'PLUGIN', 'EFFECT', 'NOW', 'BECAUSE OF', 'WHAT IT DOES'], tools.map(({ name, owner, effect, policy, description }) => [name, owner, effect, policy.effective, policy.source, firstSentence(description)])));
  } finally {
    await host.close();
  }
}

function apply(hub: Hub, change: string): void {
  const at = change.indexOf('=');
  const [name, setting] = [change.slice(0, at), change.slice(at + 1)];
  if (at < 1 || !isSetting(setting)) throw new AdvisedError('--set takes NAME=SETTING, with allow, ask, deny or default.', 'For example: --set books.add_to_shelf=deny', 2);
  const tool = hub.tools().find((each) => each.name === name);
  if (tool) hub.settings.setTool(tool.owner, tool.name, setting);
  else if (hub.tools().some(({ owner }) => owner === name)) hub.settings.setPlugin(name, setting);
  else throw new AdvisedError(`There is no tool and no plugin called ${name}.`, 'See model-hub tools for those there are.', 2);
}

function isSetting(word: string): word is Setting {
  return word === 'allow' || word === 'ask' || word === 'deny' || word === 'default';
}

function firstSentence(text: string): string {
  const end = text.indexOf('. ');
  const sentence = end < 0 ? text : text.slice(0, end + 1);
  return sentence.length > 70 ? `${sentence.slice(0, 69)}…` : sentence;
}
