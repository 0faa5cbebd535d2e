import type { ReadingContract } from "@longbox/reading/contract";
import type { KernelInspectionContract, OptionalCapability } from "@longbox/sdk";
import { NotReady } from "../errors.js";

interface Parts {
  readonly reading: OptionalCapability<ReadingContract>;
  readonly inspection: KernelInspectionContract;
  readonly isEnabled: () => boolean;
}

/** Whether there is anything to compute from: the plugin is on, and users can read. */
export class Readiness {
  constructor(private readonly parts: Parts) {}

  /** Why there is nothing to show; undefined when there is. */
  async reason(): Promise<string | undefined> {
    const { reading, inspection, isEnabled } = this.parts;
    if (!isEnabled()) return "Quests are switched off on this server.";
    if (!reading.available())
      return "Quests are computed from the reading history, and its plugin “Reading state” is off.";
    const reader = (await inspection.plugins()).find(({ name }) => name === "reader");
    return reader?.state === "active" ? undefined : "Quests need the reader, and its plugin “Reader” is off.";
  }

  /** @throws {NotReady} */
  async require(): Promise<void> {
    const reason = await this.reason();
    if (reason !== undefined) throw new NotReady(reason);
  }
}
