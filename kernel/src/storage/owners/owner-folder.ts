import { randomUUID } from "node:crypto";
import { readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { LongboxError } from "@longbox/sdk";
import { makeFolder, syncPath, writeDurably } from "../documents/durable-file.js";
import { firstState, pointerSchema, statesOf, type DataPointer } from "./data-pointer.js";

/**
 * The folder of one plugin's data. The data is in a numbered folder inside; the current number is written in
 * `current.json`, so that switching to another state is one rename.
 */
export class OwnerFolder {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  async current(): Promise<string> {
    return this.generation((await this.pointer()).current);
  }

  generation(name: string): string {
    return join(this.root, name);
  }

  /** The folders of all states, current or not. */
  async generations(): Promise<string[]> {
    const names = await readdir(this.root).catch(() => []);
    return names.filter(isState).map((name) => this.generation(name));
  }

  /** The names of all states, and of the current one even if its folder is missing. */
  async states(): Promise<string[]> {
    const current = await this.pointer().catch(() => firstState);
    return [...new Set([...(await this.generations()).map((folder) => basename(folder)), current.current])];
  }

  async pointer(): Promise<DataPointer> {
    const text = await readFile(this.#pointerPath, "utf8").catch((fault: NodeJS.ErrnoException) => {
      if (fault.code === "ENOENT") return undefined;
      throw fault;
    });
    if (text === undefined) return this.#unpointed();
    const parsed = pointerSchema.safeParse(parseJson(text));
    if (parsed.success) return parsed.data;
    throw this.#unreadable("cannot be read");
  }

  /**
   * Before the first upgrade there is one state; where there are others, the file was lost, and any guess could be
   * wrong.
   */
  async #unpointed(): Promise<DataPointer> {
    const others = (await this.generations()).filter((folder) => folder !== this.generation(firstState.current));
    if (others.length > 0) throw this.#unreadable("is missing");
    return firstState;
  }

  #unreadable(what: string): LongboxError {
    return new LongboxError(
      "internal",
      "kernel/data-pointer-unreadable",
      `${this.#pointerPath} should name the folder that holds the data, and ${what}.`,
    );
  }

  async point(pointer: DataPointer): Promise<void> {
    await makeFolder(this.root);
    // The schema orders the fields, so that what is written again is the same to the byte.
    await writeDurably(this.#pointerPath, JSON.stringify(pointerSchema.parse(pointer)));
  }

  /** A number that no folder has. */
  async nextName(): Promise<string> {
    const taken = (await readdir(this.root).catch(() => [])).filter(isState).map(Number);
    return String(Math.max(0, ...taken) + 1);
  }

  /**
   * Removes what an interrupted trial left behind, and states that are not kept.
   * @param drop - removes what else is kept of a state. It comes before the state's folder, which is what a further
   * sweep finds when this one is interrupted or fails
   */
  async sweep(drop: (folder: string) => Promise<void>): Promise<void> {
    const counts = statesOf(await this.pointer());
    for (const name of await readdir(this.root)) {
      if (name === "current.json" || counts.has(name)) continue;
      if (isState(name)) await drop(this.generation(name));
      await rm(join(this.root, name), { recursive: true, force: true });
    }
  }

  get #pointerPath(): string {
    return join(this.root, "current.json");
  }
}

function isState(name: string): boolean {
  return /^\d+$/.test(name);
}

/**
 * Renames an owner's folder, so that an interruption of its removal leaves nothing that looks like data. Leftovers are
 * found by {@link sweepGone}.
 * @returns where it is now, if it was there
 */
export async function setAside(path: string): Promise<string> {
  const parent = dirname(path);
  const gone = join(parent, `.gone-${basename(path)}.${randomUUID()}`);
  try {
    await rename(path, gone);
    await syncPath(parent);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== "ENOENT") throw fault;
  }
  return gone;
}

/**
 * Removes what an interruption left of folders that were set aside.
 * @param leave - hears before of the owner of each, and of the folder
 * @param failed - hears of each owner whose folder cannot be removed: it stays, and the others go on
 */
export async function sweepGone(
  parent: string,
  leave: (owner: string, gone: OwnerFolder) => Promise<void> = async () => undefined,
  failed: (owner: string, fault: unknown) => void = () => undefined,
): Promise<void> {
  await makeFolder(parent);
  for (const name of await readdir(parent)) {
    const owner = /^\.gone-([a-z0-9-]+)\./.exec(name)?.[1];
    if (owner === undefined) continue;
    try {
      await leave(owner, new OwnerFolder(join(parent, name)));
      await rm(join(parent, name), { recursive: true, force: true });
    } catch (fault) {
      failed(owner, fault);
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
