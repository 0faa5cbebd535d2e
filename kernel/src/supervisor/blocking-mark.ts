import { mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import path from "node:path";

/** An id, a line end, the cause, and zeros up to this length. */
const markBytes = 1024;
// The functions as they are now: what they are later may be what tells us of itself.
const [makeFolder, open, write] = [mkdirSync, openSync, writeSync];

const fileOf = (dataFolder: string) => path.join(dataFolder, "plugins", "blocking");

/** Says outside of this process which plugin keeps its thread at this moment, in one write to a small file. */
export class BlockingMark {
  readonly #descriptor: number;
  readonly #nothing = Buffer.alloc(markBytes);

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
    this.set(undefined);
  }

  static open(dataFolder: string): BlockingMark {
    makeFolder(path.dirname(fileOf(dataFolder)), { recursive: true, mode: 0o700 });
    return new BlockingMark(open(fileOf(dataFolder), "w", 0o600));
  }

  set(plugin: string | undefined, cause = ""): void {
    const text = plugin === undefined ? this.#nothing : Buffer.alloc(markBytes);
    if (plugin !== undefined) text.write(`${plugin}\n${cause}`, 0, markBytes - 1);
    write(this.#descriptor, text, 0, markBytes, 0);
  }
}

/** The plugin that keeps the kernel's thread, if that is known, and the request that it does so for. */
export function readBlockingMark(dataFolder: string): { plugin: string; cause: string | undefined } | undefined {
  try {
    const [plugin = "", cause] = readFileSync(fileOf(dataFolder), "utf8").replace(/\0.*$/s, "").split("\n");
    return plugin === "" ? undefined : { plugin, cause };
  } catch {
    return undefined;
  }
}
