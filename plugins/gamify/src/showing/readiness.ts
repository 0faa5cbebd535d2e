import type { ReadingContract } from "@longbox/reading/contract";
import type { KernelInspectionContract, OptionalCapability } from "@longbox/sdk";
import type { z } from "zod";
import { NotReady } from "../errors.js";
import type { causeSchema } from "../shapes.js";

interface Parts {
  readonly reading: OptionalCapability<ReadingContract>;
  readonly inspection: KernelInspectionContract;
  readonly isEnabled: () => boolean;
}

type Cause = z.output<typeof causeSchema>;
interface Hindrance {
  readonly cause: Cause;
  readonly reason: string;
}

const hindrances: Readonly<Record<Cause, Hindrance>> = {
  quests: { cause: "quests", reason: "Quests are switched off on this server." },
  reading: {
    cause: "reading",
    reason: "Quests are computed from the reading history, and its plugin “Reading state” is off.",
  },
  reader: { cause: "reader", reason: "Quests need the reader, and its plugin “Reader” is off." },
};

/** Whether there is anything to compute from: the plugin is on, and users can read. */
export class Readiness {
  constructor(private readonly parts: Parts) {}

  /** Why there is nothing to show; undefined when there is. */
  async hindrance(): Promise<Hindrance | undefined> {
    const { reading, inspection, isEnabled } = this.parts;
    if (!isEnabled()) return hindrances.quests;
    if (!reading.available()) return hindrances.reading;
    const reader = (await inspection.plugins()).find(({ name }) => name === "reader");
    return reader?.state === "active" ? undefined : hindrances.reader;
  }

  /** @throws {NotReady} */
  async require(): Promise<void> {
    const hindrance = await this.hindrance();
    if (hindrance !== undefined) throw new NotReady(hindrance.reason);
  }
}
