import { lstat, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { placeKey } from "../refile/plan.js";
import { beginMove } from "./move-file.js";
import { TouchedFolders } from "./touched-folders.js";

/** A move whose new name exists. */
interface Begun {
  readonly from: string;
  readonly to: string;
  /** Takes the old name away; undefined where one call has moved the file. */
  readonly finish: (() => Promise<void>) | undefined;
}

/** Moves that failed after all, by their source. */
export type Unmoved = ReadonlyMap<string, unknown>;

/**
 * Moves many files so that a loss of power leaves each of them under its old name or its new one: all new names are on
 * disk before the first old one goes. Folders are synced once for all files that were moved together.
 */
export class MovingTogether {
  #begun: Begun[] = [];
  readonly #leaving = new Set<string>();
  readonly #unmoved = new Map<string, unknown>();
  readonly #goals = new TouchedFolders();

  /** Makes the new name. @throws {PlaceTaken} and what the file system says: then nothing has changed */
  async begin(from: string, to: string): Promise<void> {
    // A folder is moved with its contents, some of which may have moves of their own.
    if (this.#leaving.has(placeKey(to)) || (await lstat(from)).isDirectory()) await this.#finishBegun();
    const finish = await beginMove(from, to, this.#goals);
    this.#begun.push({ from, to, finish });
    this.#leaving.add(placeKey(from));
  }

  /** Takes the old names away. Everything that was moved is on disk when it settles. */
  async finish(): Promise<Unmoved> {
    await this.#finishBegun();
    const unmoved = new Map(this.#unmoved);
    this.#unmoved.clear();
    return unmoved;
  }

  async #finishBegun(): Promise<void> {
    const begun = this.#begun;
    this.#begun = [];
    this.#leaving.clear();
    try {
      await this.#goals.sync();
    } catch (thrown) {
      for (const move of begun) await this.#takeBack(move, thrown);
      return;
    }
    const left = new TouchedFolders();
    for (const move of begun) {
      left.add(dirname(move.from));
      await move.finish?.().catch((thrown: unknown) => this.#takeBack(move, thrown));
    }
    await left.sync();
  }

  /** The file stays where it was, under that name alone. */
  async #takeBack({ from, to, finish }: Begun, reason: unknown): Promise<void> {
    // A file that was moved by one call has only one name.
    if (finish === undefined) return;
    this.#unmoved.set(from, reason);
    // A copy that cannot be removed now is found by the recovery of moves; the reason above counts.
    await rm(to, { force: true }).catch(() => undefined);
  }
}
