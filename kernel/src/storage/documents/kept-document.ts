import { readFile, rename, rm } from "node:fs/promises";
import { Low, type Adapter } from "lowdb";
import { LongboxError, type Logger, type StoredDocument } from "@longbox/sdk";
import type { z } from "zod";
import { beginning } from "./beginning.js";
import { sweepUnfinished, writeDurably } from "./durable-file.js";
import { translateStorageFault } from "../storage-fault.js";
import { Turnstile } from "../turnstile.js";

/** A document, and the text before its last change. */
export interface KeptDocument<T> extends StoredDocument<T> {
  /** Removes the text before the last change, when nothing of it may remain. */
  forgetFormer(): Promise<void>;
}

/**
 * Opens a JSON document. What it holds before it was first written is what the schema makes of nothing, or of `{}`.
 *
 * A file that cannot be read, or does not fit the schema, is kept aside under another name and reported; the text
 * before the last change, or else the beginning, takes its place.
 */
export async function openDocument<T>(path: string, schema: z.ZodType<T>, log: Logger): Promise<KeptDocument<T>> {
  const file = new DocumentFile(path, schema, log);
  const low = new Low<{ value: T }>(file, { value: beginning(path, schema) });
  await low.read();
  return new LowDocument(low, schema, path);
}

class LowDocument<T> implements KeptDocument<T> {
  readonly #low: Low<{ value: T }>;
  readonly #schema: z.ZodType<T>;
  readonly #path: string;
  readonly #turnstile = new Turnstile();

  constructor(low: Low<{ value: T }>, schema: z.ZodType<T>, path: string) {
    this.#low = low;
    this.#schema = schema;
    this.#path = path;
  }

  read(): T {
    return this.#low.data.value;
  }

  async forgetFormer(): Promise<void> {
    await rm(formerOf(this.#path), { force: true });
  }

  async update(change: (current: T) => T): Promise<T> {
    const free = await this.#turnstile.enter();
    const former = this.#low.data;
    try {
      this.#low.data = { value: this.#schema.parse(change(structuredClone(former.value))) };
      await this.#low.write();
      return this.#low.data.value;
    } catch (fault) {
      this.#low.data = former;
      throw translateStorageFault(fault, this.#path);
    } finally {
      free();
    }
  }
}

/** lowdb's own adapter loses the text on a power cut, leaves secrets readable by all, and dies of a damaged file. */
class DocumentFile<T> implements Adapter<{ value: T }> {
  readonly #path: string;
  readonly #schema: z.ZodType<T>;
  readonly #log: Logger;

  constructor(path: string, schema: z.ZodType<T>, log: Logger) {
    this.#path = path;
    this.#schema = schema;
    this.#log = log;
  }

  async read(): Promise<{ value: T } | null> {
    await sweepUnfinished(this.#path, this.#backup);
    const found = await this.#parse(this.#path);
    if (found.value !== undefined) return { value: found.value };
    if (found.text !== undefined) await this.#keepAside(found.reason);
    const former = await this.#parse(this.#backup);
    return former.value === undefined ? null : { value: former.value };
  }

  async write(data: { value: T }): Promise<void> {
    await writeDurably(this.#path, `${JSON.stringify(data.value, undefined, 2)}\n`, this.#backup);
  }

  get #backup(): string {
    return formerOf(this.#path);
  }

  async #parse(path: string): Promise<{ value?: T; text?: string; reason?: string }> {
    const text = await readFile(path, "utf8").catch((fault: NodeJS.ErrnoException) => {
      if (fault.code === "ENOENT") return undefined;
      throw new LongboxError(
        "internal",
        "kernel/document-unreadable",
        "A document cannot be read. It was left as it is.",
        undefined,
        { cause: new Error(`${path}: ${fault.message}`, { cause: fault }) },
      );
    });
    if (text === undefined) return {};
    try {
      return { text, value: this.#schema.parse(JSON.parse(text)) };
    } catch (fault) {
      return { text, reason: String(fault) };
    }
  }

  async #keepAside(reason: string | undefined): Promise<void> {
    const aside = `${this.#path}.unreadable-${new Date().toISOString().replaceAll(":", "-")}`;
    await rename(this.#path, aside);
    this.#log.error(
      "A document could not be read. It was kept aside, and the text before its last change is used, or a new one.",
      { path: this.#path, keptAs: aside, reason },
    );
  }
}

function formerOf(path: string): string {
  return `${path}.bak`;
}
