import { readFile } from "node:fs/promises";
import path from "node:path";
import { unlessMissing } from "@longbox/sdk";
import { z } from "zod";
import { inject, injectable } from "../../injection.js";
import { writeDurably } from "../../storage/documents/durable-file.js";
import { kernelVersion } from "../../versions.js";
import { PluginStore } from "../packages/store.js";
import type { PluginOnDisk } from "../packages/plugin-package.js";
import type { Description } from "./agreement.js";
import { codeStamp } from "./fence/code-folders.js";

const descriptionSchema = z.object({
  requires: z.record(z.string(), z.string()),
  optional: z.record(z.string(), z.string()),
  settings: z.record(z.string(), z.unknown()).optional(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
});
const keptSchema = z.object({ by: z.string(), description: descriptionSchema });

/** Checks what a process says of its plugin. */
export function parseDescription(told: unknown): Description {
  return descriptionSchema.parse(told) as Description;
}

/**
 * What isolated plugins say of themselves, beside the store: the folder of a version never changes, so a process is
 * asked once, and not again at each start. A linked folder changes, and is asked.
 */
@injectable()
export class KeptDescriptions {
  constructor(@inject(PluginStore) private readonly store: PluginStore) {}

  /** @returns undefined when it is not known, was made by another kernel, or cannot be read */
  async find(plugin: PluginOnDisk): Promise<Description | undefined> {
    if (plugin.linked) return undefined;
    const text = await unlessMissing(readFile(this.#file(plugin), "utf8")).catch(() => undefined);
    const kept = keptSchema.safeParse(text === undefined ? undefined : parseJson(text));
    return kept.success && kept.data.by === stamp() ? (kept.data.description as Description) : undefined;
  }

  /** A disk that is full or read-only only makes the next start slower. */
  async keep(plugin: PluginOnDisk, description: Description): Promise<void> {
    if (plugin.linked) return;
    await writeDurably(this.#file(plugin), JSON.stringify({ by: stamp(), description })).catch(() => undefined);
  }

  #file({ folder }: PluginOnDisk): string {
    return this.store.descriptionOf(path.basename(folder));
  }
}

/** The kernel whose code made the description. */
function stamp(): string {
  return `${kernelVersion} ${codeStamp()}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
