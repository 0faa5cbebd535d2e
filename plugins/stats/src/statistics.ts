import type { Contributions, Logger, Viewer } from "@longbox/sdk";
import type { StatsPart } from "./contract.js";
import { emptyStats, type Stats } from "./shapes.js";

interface Kept {
  readonly readAt: number;
  readonly stats: Promise<Stats>;
}

/** The server's statistics, put together from what plugins count and kept for a minute. */
export class Statistics {
  readonly #parts: Contributions<StatsPart>;
  readonly #log: Logger;
  readonly #keepMs: number;
  readonly #kept = new Map<boolean, Kept>();

  constructor(parts: Contributions<StatsPart>, log: Logger, options: { keepMs: number }) {
    this.#parts = parts;
    this.#log = log;
    this.#keepMs = options.keepMs;
  }

  /** Forgets what was counted, since other plugins count now. */
  forget(): void {
    this.#kept.clear();
  }

  read(viewer: Viewer): Promise<Stats> {
    const kept = this.#kept.get(viewer.seesRestricted);
    if (kept && Date.now() - kept.readAt < this.#keepMs) return kept.stats;
    const stats = this.#count(viewer);
    this.#kept.set(viewer.seesRestricted, { readAt: Date.now(), stats });
    return stats;
  }

  async #count(viewer: Viewer): Promise<Stats> {
    const stats = { ...emptyStats(new Date()) } as Record<string, Record<string, unknown>>;
    const counted = await Promise.all(
      this.#parts.entries().map(async ({ plugin, contribution }) => ({
        key: contribution.key,
        fields: await this.#ask(plugin, contribution, viewer),
      })),
    );
    for (const { key, fields } of counted) stats[key] = { ...stats[key], ...fields };
    // Parts come from plugins; the answer is validated by its schema where it is sent.
    return stats as unknown as Stats;
  }

  /** One plugin that cannot count does not hide what the others count. */
  async #ask(plugin: string, part: StatsPart, viewer: Viewer): Promise<Record<string, unknown>> {
    try {
      return await part.read(viewer);
    } catch (fault) {
      this.#log.error("A part of the statistics could not be counted", { plugin, part: part.key, fault });
      return {};
    }
  }
}
