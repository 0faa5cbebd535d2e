import { constants, existsSync } from "node:fs";
import { cp, mkdir, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Logger } from "@longbox/sdk";
import type { StorageDriver } from "../engines/driver.js";
import { syncTree } from "../documents/durable-file.js";
import type { Hold, OpenStorages } from "./open-storages.js";
import { advanced, givenUp, type VersionChange } from "./data-pointer.js";
import type { OwnerFolder } from "./owner-folder.js";
import type { OwnerStorage } from "./owner-storage.js";
import type { TrialData } from "../storing.js";

export interface TrialParts {
  readonly owner: string;
  readonly states: OwnerFolder;
  readonly open: OpenStorages;
  readonly driver: StorageDriver;
  readonly log: Logger;
  /** The state that is copied; the current one when left out. */
  readonly source?: string | undefined;
  /** The data folder of the server. */
  readonly folder: string;
  openAt(folder: string): Promise<OwnerStorage>;
  /** Removes states of the data that are not kept. */
  sweep(): Promise<void>;
  ended(): void;
}

/** Copies the data into a new folder beside it, and opens the copy. */
export async function startTrial(parts: TrialParts): Promise<TrialData> {
  const before = await parts.states.pointer();
  const { current } = before;
  // From here on there may be two states, so the current one is recorded first.
  await parts.states.point(before);
  const next = await parts.states.nextName();
  // A trial that a power failure interrupted may have left an entry without files.
  await parts.driver.drop({ owner: parts.owner, folder: parts.states.generation(next) });
  const hold = await parts.open.hold(parts.owner, parts.states.generation(current));
  try {
    await copyState(parts, hold, { from: parts.source ?? current, current, to: next });
    const storage = await parts.openAt(parts.states.generation(next));
    return new Trial(parts, { storage, hold }, { former: current, next });
  } catch (fault) {
    await hold.release();
    await removeState(parts, parts.states.generation(next));
    throw fault;
  }
}

/** Copies the current state, which is held, or another one, which nothing has open. */
async function copyState(
  parts: TrialParts,
  hold: Hold,
  { from, current, to }: { readonly from: string; readonly current: string; readonly to: string },
): Promise<void> {
  const { states, open, owner } = parts;
  const folders = { from: states.generation(from), to: states.generation(to) };
  if (from === current) return copyData(parts, hold, folders);
  const borrowed = await open.borrow(owner, folders.from);
  await copyData(parts, borrowed, folders).finally(() => borrowed.release());
}

async function copyData(
  { driver, owner }: TrialParts,
  hold: Hold,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  if (hold.shared) await driver.copy(hold.shared, { owner, folder: to });
  for (const part of ["documents", "files", "indexes"]) {
    if (existsSync(join(from, part)))
      await cp(join(from, part), join(to, part), {
        recursive: true,
        preserveTimestamps: true,
        mode: constants.COPYFILE_FICLONE,
      });
  }
}

async function removeState({ driver, owner }: TrialParts, folder: string): Promise<void> {
  await driver.drop({ owner, folder });
  await rm(folder, { recursive: true, force: true });
}

class Trial implements TrialData {
  readonly storage: OwnerStorage;
  readonly #parts: TrialParts;
  readonly #hold: Hold;
  readonly #former: string;
  readonly #next: string;
  #state: "running" | "adopted" | "discarded" = "running";

  constructor(
    parts: TrialParts,
    { storage, hold }: { readonly storage: OwnerStorage; readonly hold: Hold },
    { former, next }: { readonly former: string; readonly next: string },
  ) {
    this.#parts = parts;
    this.storage = storage;
    this.#hold = hold;
    this.#former = former;
    this.#next = next;
  }

  async adopt(change?: VersionChange): Promise<string> {
    const { states, log, owner, folder } = this.#parts;
    const former = relative(folder, states.generation(this.#former));
    if (this.#state !== "running") return former;
    try {
      await syncTree(states.generation(this.#next));
      await this.#switch(change);
      this.#state = "adopted";
    } finally {
      await this.#letGoOn();
    }
    // The switch is made. Leftovers only take space, and are removed at the next start.
    await this.#parts
      .sweep()
      .catch((fault: unknown) => log.warn("Old data could not be removed.", { owner, fault: String(fault) }));
    return former;
  }

  /** After an `adopt` that failed, too. */
  async discard(): Promise<void> {
    if (this.#state !== "running") return;
    this.#state = "discarded";
    try {
      await this.storage.release();
      await removeState(this.#parts, this.#parts.states.generation(this.#next));
    } finally {
      await this.#letGoOn();
    }
  }

  /** The copy becomes the data when the pointer is written; it is written only if all open handles can follow. */
  async #switch(change?: VersionChange): Promise<void> {
    const { states, open, owner } = this.#parts;
    const before = await states.pointer();
    const after = advanced(before, this.#next, change);
    const isElsewhere = this.#parts.source !== undefined && this.#parts.source !== this.#former;
    await states.point(isElsewhere ? givenUp(after, this.#former) : after);
    try {
      await open.move(owner, states.generation(this.#next), this.storage);
    } catch (fault) {
      await states.point(before);
      await open.move(owner, states.generation(this.#former), this.storage);
      throw fault;
    }
  }

  async #letGoOn(): Promise<void> {
    await this.#hold.release();
    this.#parts.ended();
  }
}
