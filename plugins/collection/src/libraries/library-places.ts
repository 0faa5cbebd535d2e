import { realpath } from "node:fs/promises";
import { isWithin, type KernelInspectionContract } from "@longbox/sdk";
import { badField } from "../errors.js";
import { isOfTheSystem } from "./system-folders.js";

export interface LibraryPlacesParts {
  readonly kernel: KernelInspectionContract;
  /** The folders that an admin allowed; empty: everything but the system's folders. */
  readonly allowed: () => readonly string[];
}

/** The folders of the server that can become libraries and can be browsed when a library is created. */
export class LibraryPlaces {
  constructor(private readonly parts: LibraryPlacesParts) {}

  /** The places as they are now. */
  async read(): Promise<PlaceRules> {
    const configured = this.parts.allowed();
    const { dataFolder } = await this.parts.kernel.runtime();
    const [data, ...allowed] = await Promise.all([dataFolder, ...configured].map(realFolder));
    return new PlaceRules(
      configured,
      allowed.flatMap((folder) => folder ?? []),
      data ?? dataFolder,
    );
  }
}

async function realFolder(folder: string): Promise<string | undefined> {
  // A folder that is away or may not be read is no place for libraries at present.
  return await realpath(folder).catch(() => undefined);
}

/** Says of folders, by their real paths with every link followed, whether a library may be there. */
export class PlaceRules {
  /**
   * @param configured - the folders that an admin allowed, as they were written
   * @param allowed - those of them that are there, as real paths
   */
  constructor(
    private readonly configured: readonly string[],
    readonly allowed: readonly string[],
    private readonly dataFolder: string,
  ) {}

  /** Refuses a folder that no library may have. @throws {BadInput} naming `field` */
  checkLibrary(folder: string, field: string): void {
    this.checkListing(folder, field);
    if (isWithin(folder, this.dataFolder)) throw badField(field, "contains the data of this server");
    if (this.configured.length === 0 && isOfTheSystem(folder, { above: true }))
      throw badField(field, "contains folders of the operating system");
  }

  /** Refuses a folder whose content is not shown. @throws {BadInput} naming `field` */
  checkListing(folder: string, field: string): void {
    const reason = this.#reasonAgainst(folder);
    if (reason !== undefined) throw badField(field, reason);
  }

  isShown(folder: string): boolean {
    return this.#reasonAgainst(folder) === undefined;
  }

  #reasonAgainst(folder: string): string | undefined {
    if (isWithin(this.dataFolder, folder)) return "lies in the data of this server";
    if (this.configured.length === 0)
      return isOfTheSystem(folder, { above: false }) ? "is a folder of the operating system" : undefined;
    if (this.allowed.some((place) => isWithin(place, folder))) return undefined;
    return `is outside of the folders that libraries may be in: ${this.configured.join(", ")}`;
  }
}
