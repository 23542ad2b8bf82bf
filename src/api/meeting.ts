/**
 * The hub's side of the meeting place: opens the door for plugins that wait and for those that come later, and closes it
 * behind them (F173, F176).
 */
import type { Hub } from '../core/hub.ts';
import { HubError } from '../core/errors.ts';
import { API_VERSION, hubForPlugin, type PluginHub } from './hub-for-plugin.ts';
import { meetingOf, type HubDoor } from './on-hub-ready.ts';

export interface MeetingParts {
  readonly hub: Hub;
  /** Tells the user something that no caller gets. */
  readonly notice: (text: string) => void;
}

/** Opens the door on `app`; answers the function that closes it, for when the hub unloads. */
export function openDoor(app: object, { hub, notice }: MeetingParts): () => void {
  const meeting = meetingOf(app);
  const inside = new Map<string, PluginHub>();
  const told = new Set<string>();
  const leave = (id: string): void => {
    inside.get(id)?.revoke();
    if (inside.delete(id)) hub.pluginUnloaded(id);
  };
  const door: HubDoor = {
    apiVersion: API_VERSION,
    enter: (plugin) => {
      const entered = inside.get(plugin.id) ?? hubForPlugin(hub, plugin);
      inside.set(plugin.id, entered);
      return entered.api;
    },
    left: leave,
    tooOld: (plugin, wanted) => {
      if (told.has(plugin.id)) return;
      told.add(plugin.id);
      notice(`${plugin.name} needs Model Hub with API ${wanted}; this one has ${API_VERSION}. Update Model Hub.`);
    },
    failed: (id, error) => notice(`The plugin ${id} failed while it met Model Hub: its tools may be missing. ${error instanceof HubError ? error.message : 'Look for an update of the plugin.'}`),
  };
  meeting.door = door;
  for (const meet of [...meeting.waiting]) queueMicrotask(() => meet(door));
  return () => {
    if (meeting.door === door) meeting.door = undefined;
    for (const id of [...inside.keys()]) leave(id);
  };
}
