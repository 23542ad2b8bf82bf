/** Commands, command line, secrets: small registries of the app. */
import type * as obsidian from 'obsidian';
import { ShimEvents } from './events.ts';

export class ShimCommands {
  readonly commands: Record<string, obsidian.Command> = {};

  addCommand(command: obsidian.Command): void { this.commands[command.id] = command; }
  removeCommand(id: string): void { delete this.commands[id]; }

  /** The commands that the palette would show now. */
  listCommands(): obsidian.Command[] {
    return Object.values(this.commands).filter(({ checkCallback }) => !checkCallback || checkCallback(true));
  }

  /** Answers whether there was something to run. */
  executeCommandById(id: string): boolean {
    const command = this.commands[id];
    if (!command) return false;
    if (command.checkCallback) return command.checkCallback(true) === true && command.checkCallback(false) !== false;
    if (!command.callback) return false;
    void command.callback();
    return true;
  }
}

interface CliCommand { readonly description: string; readonly flags: obsidian.CliFlags | null; readonly handler: obsidian.CliHandler }

export class ShimCli {
  readonly #commands = new Map<string, CliCommand>();

  add(name: string, command: CliCommand): void {
    if (this.#commands.has(name)) throw new Error(`CLI command "${name}" is already registered`);
    this.#commands.set(name, command);
  }

  remove(name: string): void {
    this.#commands.delete(name);
  }

  /** What the terminal would print. Rejects for an unknown command, or without a flag that is required. */
  async run(name: string, params: obsidian.CliData): Promise<string> {
    const command = this.#commands.get(name);
    if (!command) throw new Error(`Command "${name}" not found.`);
    for (const [flag, { required }] of Object.entries(command.flags ?? {})) if (required && !(flag in params)) throw new Error(`Missing required parameter: ${flag}`);
    return command.handler(params);
  }
}

/** Secrets of the vault. In the app the system's keyring keeps them; here the browser's storage of this app does. */
export class ShimSecrets extends ShimEvents implements obsidian.SecretStorage {
  setSecret(id: string, secret: string): void {
    if (!/^[a-z0-9-]+$/.test(id)) throw new Error(`Invalid secret ID: ${id}`);
    window.localStorage.setItem(`secret:${id}`, secret);
    this.trigger('change', id);
  }

  getSecret(id: string): string | null {
    return window.localStorage.getItem(`secret:${id}`);
  }

  listSecrets(): string[] {
    return Object.keys(window.localStorage).filter((key) => key.startsWith('secret:')).map((key) => key.slice('secret:'.length));
  }
}
