import { realpathSync } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Releasable } from "@longbox/sdk";
import { TemporaryPlaces } from "../../../storage/index.js";
import type { PluginOnDisk } from "../../packages/plugin-package.js";
import { hostCode } from "./code-folders.js";
import { IsolatedProcess, type ProcessStart } from "./isolated-process.js";

/** A plugin that an administrator has put into a group. */
export interface GroupMember {
  readonly id: string;
  /** The folder of its version in the store. */
  readonly folder: string;
}

/** How the processes of groups are started. */
export interface SharedStart extends Omit<ProcessStart, "seats" | "grants" | "lost"> {
  readonly heapMegabytes: number;
}

/** A place in the process of a group. */
export interface SharedPlace {
  readonly process: IsolatedProcess;
  /** A folder of the plugin, for what is needed for a while only. */
  readonly temporary: string;
}

interface Shared {
  readonly process: IsolatedProcess;
  readonly temporary: Releasable & { readonly path: string };
  /** The folders of code that it may read, by the plugins that have not come in yet. */
  readonly awaited: Map<string, string>;
}

/**
 * The processes of groups. What a process may reach is fixed when it starts: the folders of all that are in the group
 * then. A member that starts later with other code, such as another version, gets a new process, where the others join
 * it when they start again: none is stopped for another.
 */
export class SharedProcesses {
  readonly #dataFolder: string;
  readonly #current = new Map<string, Promise<Shared>>();
  readonly #separated = new Set<string>();

  constructor(dataFolder: string) {
    this.#dataFolder = dataFolder;
  }

  /** Whether the members of a group are kept apart, since their process ended by itself. */
  isSeparated(group: string): boolean {
    return this.#separated.has(group);
  }

  /** From now on each member gets a process of its own, so that the next end shows whose code it was. */
  #separate(group: string): void {
    this.#separated.add(group);
    this.#current.delete(group);
  }

  /** An administrator has chosen the group again. */
  join(group: string): void {
    this.#separated.delete(group);
  }

  /** A place for a plugin in the process of its group, which is started where there is none that it fits into. */
  async place(
    group: string,
    plugin: PluginOnDisk,
    { members, start }: { readonly members: readonly GroupMember[]; readonly start: SharedStart },
  ): Promise<SharedPlace> {
    const current = await this.#current.get(group)?.catch(() => undefined);
    const fitting = current && fits(current, plugin) ? current : undefined;
    // Another may have started one meanwhile.
    const newer = this.#current.get(group);
    if (!fitting && newer !== undefined && (await newer.catch(() => undefined)) !== current)
      return this.place(group, plugin, { members, start });
    const shared = fitting ?? (await this.#begin(group, [...members, { id: plugin.id, folder: plugin.folder }], start));
    shared.awaited.delete(plugin.id);
    const temporary = path.join(shared.temporary.path, plugin.id);
    await mkdir(temporary, { recursive: true });
    return { process: shared.process, temporary };
  }

  #begin(group: string, members: readonly GroupMember[], start: SharedStart): Promise<Shared> {
    const begun = this.#spawn(members, { ...start, lost: () => this.#separate(group) });
    this.#current.set(group, begun);
    begun.catch(() => {
      // A later one may have taken its place.
      if (this.#current.get(group) === begun) this.#current.delete(group);
    });
    return begun;
  }

  async #spawn(members: readonly GroupMember[], start: SharedStart & Pick<ProcessStart, "lost">): Promise<Shared> {
    const awaited = new Map(members.map(({ id, folder }) => [id, folder]));
    const code = [...awaited.values()].map((folder) => ({ place: folder, real: realpathSync(folder) }));
    const temporary = await new TemporaryPlaces(this.#dataFolder).make("group");
    const own = await Promise.all([...awaited.keys()].map((id) => this.#foldersOf(id)));
    const grants = {
      code: [...hostCode(), ...code],
      writable: [...own.flat(), temporary.path],
      heapMegabytes: start.heapMegabytes,
    };
    const process = new IsolatedProcess({ ...start, grants, seats: awaited.size });
    void process.gone.then(() => temporary.release());
    return { process, temporary, awaited };
  }

  /** The folders of a plugin's data and of its caches, as far as they have been made. */
  async #foldersOf(id: string): Promise<string[]> {
    const caches = path.join(this.#dataFolder, "plugins", "cache", id);
    await mkdir(caches, { recursive: true });
    const folders = [path.join(this.#dataFolder, "plugins", "data", id), caches];
    const found = await Promise.all(folders.map((folder) => stat(folder).catch(() => undefined)));
    return folders.filter((_, index) => found[index]?.isDirectory());
  }
}

/** The store may be reached by a link; the name of a version's folder is the same. */
function fits({ process, awaited }: Shared, { id, folder }: PluginOnDisk): boolean {
  return process.hasRoom && path.basename(awaited.get(id) ?? "") === path.basename(folder);
}
