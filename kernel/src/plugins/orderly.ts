import { LongboxError, within } from "@longbox/sdk";
import { namesTag } from "../http/answering/conditions.js";
import { jsonTag } from "../http/answering/sending-json.js";
import { inject, injectable } from "../injection.js";
import type { Requester } from "./audit.js";
import { PluginHostTuning } from "./host-tuning.js";
import { Inventory } from "./installed/inventory.js";
import type { Member } from "./installed/member.js";
import { PendingOperations, type Operating, type OperationStart } from "./pending-operations.js";
import type { PluginRow } from "./rows.js";
import { busy, Turns } from "./turns.js";

/** How long an operation waits for others. */
const usualWaitMs = 30_000;

/** Lets operations that users wait for happen one after the other, each for a limited time of waiting. */
@injectable()
export class Orderly {
  readonly #waitMs: number;

  constructor(
    @inject(PendingOperations) private readonly operations: PendingOperations,
    @inject(Turns) private readonly turns: Turns,
    @inject(Inventory) private readonly inventory: Inventory,
    @inject(PluginHostTuning) tuning: PluginHostTuning,
  ) {
    this.#waitMs = tuning.turnMs ?? usualWaitMs;
  }

  /** @throws {LongboxError} `kernel/plugins-busy`, `kernel/operation-cancelled` */
  operate<T>(start: OperationStart, work: () => Promise<T>): Promise<T> {
    return this.operations.follow(start, (operating) => {
      operating.now("waiting", this.inventory.idOf(start.plugin));
      return this.inTurn(operating, work);
    });
  }

  /** The last part of an operation that did something else first. */
  inTurn<T>({ signal, now }: Operating, work: () => Promise<T>): Promise<T> {
    return this.turns.takeWithin({ ms: this.#waitMs, signal }, () => {
      now("running");
      return work();
    });
  }

  /** A plugin that is not being started at the moment, in this version or another. @throws `kernel/plugins-busy` */
  async settled(name: string): Promise<Member> {
    for (;;) {
      const member = this.inventory.member(name);
      const under = member.switching ?? member.starting;
      if (!under) return member;
      await this.turns.aside(() => within(under, { limitMs: this.#waitMs, failure: busy }));
    }
  }
}

/** @throws {LongboxError} `kernel/plugin-changed` when the plugin is not any more as the requester saw it */
export function expectRow(row: PluginRow | undefined, { expects }: Requester): void {
  if (expects === undefined || (row && (expects.trim() === "*" || namesTag(expects, jsonTag(row))))) return;
  throw new LongboxError(
    "precondition-failed",
    "kernel/plugin-changed",
    "The plugin has changed since it was read; look at it again.",
  );
}
