/**
 * How another plugin meets the hub. One small file, to be copied into a plugin beside `model-hub-api.d.ts`; it shares
 * nothing with other copies of itself but a named place on the app object, so load order does not matter (F172, F173).
 */
import type { HubApi } from './model-hub-api'; // without an ending: TypeScript before 5 takes none

/** The plugin that wants the hub: an Obsidian `Plugin`, or anything with these parts. */
export interface HubConsumer {
  readonly manifest: { readonly id: string; readonly name: string; readonly version?: string };
  /** Registers what is to happen when this plugin unloads. */
  register(cleanup: () => void): void;
}

/** What the hub leaves at the meeting place for those who wait. */
export interface HubDoor {
  readonly apiVersion: string;
  /** The hub for one plugin. Its tools go when `left` is called. */
  enter(plugin: { readonly id: string; readonly name: string }): HubApi;
  /** Runs `cleanUp` once, when the plugin or the hub goes; at once, if this hub has gone. */
  onLeave(pluginId: string, hub: HubApi, cleanUp: () => void): void;
  left(pluginId: string): void;
  /** Tells the user, once, that the plugin needs a newer hub. */
  tooOld(plugin: { readonly id: string; readonly name: string }, wanted: string): void;
  /** What the plugin does about the hub threw, or rejected. */
  failed(pluginId: string, error: unknown): void;
}

/** The place on the app object. */
export interface Meeting {
  door?: HubDoor | undefined;
  readonly waiting: Set<(door: HubDoor) => void>;
}

const PLACE = Symbol.for('model-hub.meeting.1');
/** A pre-release counts as its release. */
const VERSION = /^(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:[-+].*)?$/;

/** The meeting place, made by whoever comes first. */
export function meetingOf(app: object): Meeting {
  const holder = app as { [PLACE]?: Meeting };
  return (holder[PLACE] ??= { waiting: new Set() });
}

/**
 * Calls back with the hub as soon as it is there, and again each time it is reloaded: register tools inside the callback.
 * Never throws anything of its own, never times out. `version` is the API version needed, such as '0.9.0'; if the hub's is
 * lower, the user is told and the callback is not called. A function that the callback answers runs once, when the plugin
 * unloads or that hub goes. When the plugin unloads, its tools go with it.
 */
export function onHubReady(app: object, plugin: HubConsumer, version: string, callback: (hub: HubApi) => unknown): void {
  const meeting = meetingOf(app);
  const { id, name } = plugin.manifest;
  const isHere = (door: HubDoor): boolean => meeting.waiting.has(meet) && meeting.door === door;
  const meet = (door: HubDoor): void => {
    if (!isHere(door)) return;
    greet(door).catch((error: unknown) => {
      if (isHere(door)) door.failed(id, error);
    });
  };
  const greet = async (door: HubDoor): Promise<void> => {
    if (!isAtLeast(door.apiVersion, version)) return door.tooOld({ id, name }, version);
    const hub = door.enter({ id, name });
    const cleanUp: unknown = await callback(hub);
    if (typeof cleanUp === 'function') door.onLeave(id, hub, cleanUp as () => void);
  };
  // First: if this throws, nothing of the plugin stays here that could never be taken away.
  plugin.register(() => {
    meeting.waiting.delete(meet);
    meeting.door?.left(id);
  });
  meeting.waiting.add(meet);
  // In a microtask, so that the order inside `onload` is the same whichever plugin loads first.
  const { door } = meeting;
  if (door) queueMicrotask(() => meet(door));
}

function isAtLeast(have: string, wanted: string): boolean {
  const wantedParts = partsOf(wanted);
  const differences = partsOf(have).map((part, i) => part - (wantedParts[i] ?? 0));
  return (differences.find((difference) => difference !== 0) ?? 0) >= 0;
}

function partsOf(version: string): number[] {
  const found = VERSION.exec(version);
  if (!found) throw new Error(`"${version}" is no version of the API; write one such as 0.9.0.`);
  return [1, 2, 3].map((part) => Number(found[part] ?? 0));
}
