// The plugins that run from folders under development: each build takes the place of the one before.
import { existsSync } from "node:fs";
import { setSourceMapsSupport } from "node:module";
import path from "node:path";
import { inject, injectable } from "../../injection.js";
import { DataFolder } from "../../kernel-tokens.js";
import { FaultPolicy } from "../containment/fault-policy.js";
import { HostParts } from "../host-parts.js";
import { Fleet } from "../installed/fleet.js";
import { Inventory } from "../installed/inventory.js";
import { checkAgainst } from "../installed/policy.js";
import { Versions } from "../installed/versions.js";
import { Orderly } from "../orderly.js";
import type { PluginOnDisk } from "../packages/plugin-package.js";
import { Turns } from "../turns.js";
import { FolderWatch } from "./folder-watch.js";
import { builtEntries, readLinkedFolder } from "./linked-folder.js";

/** Runs plugins from folders, and puts each new build in the place of the one before while the server runs. */
@injectable()
export class LinkedFolders {
  readonly #watches: FolderWatch[] = [];

  constructor(
    @inject(DataFolder) private readonly dataFolder: string,
    @inject(HostParts) private readonly parts: HostParts,
    @inject(Turns) private readonly turns: Turns,
    @inject(Orderly) private readonly orderly: Orderly,
    @inject(Inventory) private readonly inventory: Inventory,
    @inject(Versions) private readonly versions: Versions,
    @inject(FaultPolicy) private readonly faultPolicy: FaultPolicy,
    @inject(Fleet) private readonly fleet: Fleet,
  ) {}

  /** Adds the plugin in a folder, and watches the folder. @throws {BadManifest} */
  async open(folder: string): Promise<void> {
    // Stacks name the lines of the sources. What the kernel itself was loaded from is not read again for that.
    setSourceMapsSupport(true);
    const plugin = await this.#read(folder);
    this.inventory.link(plugin, undefined);
    const log = this.parts.logger("plugins");
    const watch = await FolderWatch.open({
      folder: plugin.folder,
      folders: async () => (await builtEntries(plugin)).filter((one) => one.isFolder).map(({ name }) => name),
      changed: () => void this.#rebuilt(plugin).catch((failure: unknown) => log.error(told(plugin, failure))),
      failed: ({ message }) => log.warn(`"${plugin.id}" is not watched for new builds: ${message}`),
    });
    this.#watches.push(watch);
  }

  /** Ends watching. */
  release(): void {
    for (const watch of this.#watches.splice(0)) watch.release();
  }

  #read(folder: string): Promise<PluginOnDisk> {
    return readLinkedFolder(folder, path.resolve(this.dataFolder));
  }

  #rebuilt({ id, folder }: PluginOnDisk): Promise<void> {
    return this.turns.take(async () => {
      await this.orderly.notStarting(id);
      const member = this.inventory.member(id);
      const read = await this.#read(folder);
      const built = { ...read, build: read.hash };
      // While a build is under way, its files are not all there.
      if (built.hash === member.plugin.hash || !existsSync(path.join(folder, built.entry))) return;
      if (built.id !== id) throw new Error(`It is called "${built.id}" now. Start the server again.`);
      checkAgainst(this.fleet, built, this.inventory.owners);
      await this.versions.replaceBuild(member, built);
      await this.faultPolicy.forgive(id);
      const { blocked } = member;
      const log = this.parts.logger("plugins");
      if (blocked) log.error(told(built, new Error(blocked.reason)));
      else log.info(`"${id}" was built again, and runs as it is now.`);
    });
  }
}

function told({ id }: PluginOnDisk, failure: unknown): string {
  const reason = failure instanceof Error ? failure.message : String(failure);
  return `The new build of "${id}" is not in use: ${reason}`;
}
