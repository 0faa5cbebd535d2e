import { stat } from "node:fs/promises";
import type { FilesContent, OpenedFile } from "@longbox/files/contract";
import { FileGone } from "../audiobook-errors.js";

/** A player asks for the next bytes of the same file soon. */
const idleMs = 5000;
const mostIdle = 32;
/** One request looks several times; on a network's disk each look takes as long as a short answer. */
const lookMs = 200;

interface Held {
  readonly path: string;
  readonly file: OpenedFile;
  users: number;
  /** When the last user left, by the clock of the process. */
  leftAt: number;
  /** When the disk was asked last whether the file has changed, by the clock of the process. */
  lookedAt: number;
  timer: NodeJS.Timeout | undefined;
}

/** The files that are being played, kept open for some seconds after each request. */
export class OpenParts {
  readonly #held = new Map<string, Held>();

  constructor(private readonly files: Pick<FilesContent, "open">) {}

  /**
   * Lets `use` read a file, as it is now: one that changed since it was opened is opened again.
   * @throws {FileGone} when it is missing
   */
  async use<T>(path: string, use: (file: OpenedFile) => Promise<T>): Promise<T> {
    const held = (await this.#current(path)) ?? (await this.#open(path));
    try {
      return await use(held.file);
    } finally {
      await this.#leave(held);
    }
  }

  async release(): Promise<void> {
    const all = [...this.#held.values()];
    this.#held.clear();
    await Promise.all(all.filter(({ users }) => users === 0).map((held) => this.#close(held)));
  }

  /** Counted as a user of the file. */
  async #current(path: string): Promise<Held | undefined> {
    const held = this.#held.get(path);
    if (!held) return undefined;
    held.users += 1;
    if (performance.now() - held.lookedAt < lookMs) return held;
    held.lookedAt = performance.now();
    if (await isStillThere(held.file)) return held;
    this.#held.delete(path);
    await this.#leave(held);
    return undefined;
  }

  async #open(path: string): Promise<Held> {
    const file = await this.files.open(path);
    if (file?.kind !== "file") {
      await file?.close();
      throw new FileGone();
    }
    const now = performance.now();
    const held: Held = { path, file, users: 1, leftAt: now, lookedAt: now, timer: undefined };
    // Another request may have opened it meanwhile: then this one is closed after its use.
    if (!this.#held.has(path)) this.#held.set(path, held);
    return held;
  }

  async #leave(held: Held): Promise<void> {
    held.users -= 1;
    if (held.users > 0) return;
    if (this.#held.get(held.path) !== held || this.#held.size > mostIdle) return this.#close(held);
    held.leftAt = performance.now();
    // One timer for all uses: a timer of a plugin is not cheap, since the kernel keeps a list of them.
    held.timer ??= setTimeout(() => this.#closeIdle(held), idleMs).unref();
  }

  #closeIdle(held: Held): void {
    const idle = performance.now() - held.leftAt;
    if (held.users === 0 && idle >= idleMs) return void this.#close(held);
    held.timer = held.users > 0 ? undefined : setTimeout(() => this.#closeIdle(held), idleMs - idle).unref();
  }

  async #close(held: Held): Promise<void> {
    clearTimeout(held.timer);
    if (this.#held.get(held.path) === held) this.#held.delete(held.path);
    await held.file.close();
  }
}

/**
 * Whether the path still leads to the file that is open, unchanged: another one may have been renamed into its place.
 * On a network's disk the open file may be lost; opening it again says what is wrong.
 */
async function isStillThere({ path, handle, sizeBytes, modifiedAt }: OpenedFile): Promise<boolean> {
  const [opened, found] = await Promise.allSettled([handle.stat(), stat(path)]);
  if (opened.status === "rejected" || found.status === "rejected") return false;
  const { dev, ino, size, mtimeMs } = found.value;
  const isSameFile = dev === opened.value.dev && ino === opened.value.ino;
  return isSameFile && size === sizeBytes && Math.abs(mtimeMs - modifiedAt.getTime()) < 1;
}
