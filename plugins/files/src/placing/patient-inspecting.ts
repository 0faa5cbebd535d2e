import { setTimeout as pause } from "node:timers/promises";
import type { KernelPlugins } from "@longbox/sdk";
import type { Formats } from "../formats/formats.js";
import type { InspectedPath } from "../inspecting/inspected-path.js";
import type { Inspecting } from "../inspecting/inspecting.js";

const everyMs = 100;
/** A plugin that takes longer to start is not waited for. */
const patienceMs = 30_000;

export interface PatientInspectingParts {
  readonly inspecting: Pick<Inspecting, "inspect">;
  readonly formats: Pick<Formats, "all">;
  readonly plugins: Pick<KernelPlugins, "areStarting">;
  readonly signal: AbortSignal;
}

/**
 * Looks into single files. Soon after a start the plugin of a file's format may not run yet: a file that has none of
 * the formats is looked into again with those that come while plugins are being started.
 */
export class PatientInspecting {
  constructor(private readonly parts: PatientInspectingParts) {}

  /** @returns undefined when the file is gone */
  async inspect(path: string): Promise<InspectedPath | undefined> {
    const endMs = performance.now() + patienceMs;
    for (;;) {
      const tried = this.#formats();
      const [file] = await this.parts.inspecting.inspect([path]);
      if (file === undefined || file.format !== undefined || !(await this.#othersCome(tried, endMs))) return file;
    }
  }

  async #othersCome(tried: ReadonlySet<string>, endMs: number): Promise<boolean> {
    const { plugins, signal } = this.parts;
    for (;;) {
      // Asked first: the last format may come just before its plugin has started.
      const areStarting = await plugins.areStarting();
      if ([...this.#formats()].some((id) => !tried.has(id))) return true;
      if (!areStarting || performance.now() > endMs) return false;
      await pause(everyMs, undefined, { signal });
    }
  }

  #formats(): ReadonlySet<string> {
    return new Set(this.parts.formats.all().map(({ id }) => id));
  }
}
