/**
 * The hub's side of the meeting place: opens the door for plugins that wait and for those that come later, and closes it
 * behind them (F173, F176).
 */
import type { Hub } from '../core/hub.ts';
import { HubError, hubGone, pluginGone } from '../core/errors.ts';
import { API_VERSION, hubForPlugin, type PluginHub } from './hub-for-plugin.ts';
import { meetingOf, type HubDoor } from './on-hub-ready.ts';

export interface MeetingParts {
  readonly hub: Hub;
  /** Tells the user something that no caller gets. */
  readonly notice: (text: string) => void;
  /** Told what a plugin's callback or clean-up threw, for its author: what the user is told holds none of the plugin's words. */
  readonly onFailure?: (pluginId: string, error: unknown) => void;
}

/** A plugin that has met the hub, and what is to run when it goes. */
interface Guest {
  readonly hub: PluginHub;
  readonly cleanUps: (() => void)[];
}

/** Opens the door on `app`; answers the function that closes it, for when the hub unloads. */
export function openDoor(app: object, { hub, notice, onFailure }: MeetingParts): () => void {
  const meeting = meetingOf(app);
  const guests = new Map<string, Guest>();
  const told = new Set<string>();
  const failed = (id: string, what: string, error: unknown): void => {
    onFailure?.(id, error);
    notice(`The plugin ${id} failed while it ${what}. ${error instanceof HubError ? error.message : 'Look for an update of the plugin.'}`);
  };
  const run = (id: string, cleanUp: () => void): void => {
    try {
      cleanUp();
    } catch (error) {
      failed(id, 'left Model Hub', error);
    }
  };
  const leave = (id: string, gone: () => HubError): void => {
    const guest = guests.get(id);
    if (!guest) return;
    guests.delete(id);
    guest.hub.revoke(gone);
    hub.pluginUnloaded(id);
    for (const cleanUp of guest.cleanUps) run(id, cleanUp);
  };
  const door: HubDoor = {
    apiVersion: API_VERSION,
    enter: (plugin) => {
      const guest = guests.get(plugin.id) ?? { hub: hubForPlugin(hub, plugin), cleanUps: [] };
      guests.set(plugin.id, guest);
      return guest.hub.api;
    },
    onLeave: (id, api, cleanUp) => {
      const guest = guests.get(id);
      if (guest?.hub.api === api) guest.cleanUps.push(cleanUp);
      else run(id, cleanUp);
    },
    left: (id) => leave(id, pluginGone),
    tooOld: (plugin, wanted) => {
      if (told.has(plugin.id)) return;
      told.add(plugin.id);
      notice(`${plugin.name} needs Model Hub with API ${wanted}; this one has ${API_VERSION}. Update Model Hub.`);
    },
    failed: (id, error) => failed(id, 'met Model Hub: its tools may be missing', error),
  };
  meeting.door = door;
  for (const meet of [...meeting.waiting]) queueMicrotask(() => meet(door));
  return () => {
    if (meeting.door === door) meeting.door = undefined;
    for (const id of [...guests.keys()]) leave(id, hubGone);
  };
}
