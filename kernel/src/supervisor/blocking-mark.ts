import { mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import path from "node:path";

/** An id, and zeros up to this length. */
const markBytes = 128;
// The functions as they are now: what they are later may be what tells us of itself.
const [makeFolder, open, write] = [mkdirSync, openSync, writeSync];

const fileOf = (dataFolder: string) => path.join(dataFolder, "plugins", "blocking");

/** Says outside of this process which plugin keeps its thread at this moment, in one write to a small file. */
export class BlockingMark {
  readonly #descriptor: number;
  readonly #texts = new Map<string, Buffer>();

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
    this.set(undefined);
  }

  static open(dataFolder: string): BlockingMark {
    makeFolder(path.dirname(fileOf(dataFolder)), { recursive: true, mode: 0o700 });
    return new BlockingMark(open(fileOf(dataFolder), "w", 0o600));
  }

  set(plugin = ""): void {
    const text = this.#texts.get(plugin) ?? this.#textFor(plugin);
    write(this.#descriptor, text, 0, markBytes, 0);
  }

  #textFor(plugin: string): Buffer {
    const text = Buffer.alloc(markBytes);
    text.write(plugin, 0, markBytes - 1);
    this.#texts.set(plugin, text);
    return text;
  }
}

/** The plugin that keeps the kernel's thread, if that is known. */
export function readBlockingMark(dataFolder: string): string | undefined {
  try {
    return readFileSync(fileOf(dataFolder), "utf8").replace(/\0.*$/s, "") || undefined;
  } catch {
    return undefined;
  }
}
