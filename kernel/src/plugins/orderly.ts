import { LongboxError, within } from "@longbox/sdk";
import { namesTag } from "../http/answering/conditions.js";
import { jsonTag } from "../http/answering/sending-json.js";
import { inject, injectable } from "../injection.js";
import type { Requester } from "./audit.js";
import { PluginHostTuning } from "./host-tuning.js";
import { Fleet } from "./installed/fleet.js";
import { Inventory } from "./installed/inventory.js";
import { PendingOperations, type Operating, type OperationStart } from "./pending-operations.js";
import type { PluginRow } from "./rows.js";
import { busy, Turns } from "./turns.js";

/** How long an operation waits for others. */
const usualWaitMs = 30_000;

/** Settles once no other operation is under way on a plugin, nor a start of it. @throws `kernel/plugins-busy` */
export type Settled = (id: string) => Promise<void>;

/** Lets operations that users wait for happen one after the other, each for a limited time of waiting. */
@injectable()
export class Orderly {
  readonly #waitMs: number;
  /** The end of the last operation on each plugin that has begun. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(
    @inject(PendingOperations) private readonly operations: PendingOperations,
    @inject(Turns) private readonly turns: Turns,
    @inject(Inventory) private readonly inventory: Inventory,
    @inject(Fleet) private readonly fleet: Fleet,
    @inject(PluginHostTuning) tuning: PluginHostTuning,
  ) {
    this.#waitMs = tuning.turnMs ?? usualWaitMs;
  }

  /** @throws {LongboxError} `kernel/plugins-busy`, `kernel/operation-cancelled` */
  operate<T>(start: OperationStart, work: (settled: Settled) => Promise<T>): Promise<T> {
    return this.operations.follow(start, (operating) => {
      operating.now("waiting", this.inventory.idOf(start.plugin));
      return this.inTurn(operating, work);
    });
  }

  /** The last part of an operation that did something else first. */
  inTurn<T>({ signal, now }: Operating, work: (settled: Settled) => Promise<T>): Promise<T> {
    return this.turns.takeWithin({ ms: this.#waitMs, signal }, async () => {
      now("running");
      const mine = new Map<string, () => void>();
      try {
        return await work((id) => this.#settled(id, mine));
      } finally {
        for (const end of mine.values()) end();
      }
    });
  }

  /**
   * Waits for the operations before this one on the same plugin, and for its start, and keeps later ones waiting.
   * Others may have their turn while this one starts the plugin, and the trail must tell of both in the order in which
   * they were done.
   */
  async #settled(id: string, mine: Map<string, () => void>): Promise<void> {
    if (!mine.has(id)) await this.#follow(id, mine);
    await this.notStarting(id);
  }

  /** Waits until a plugin is not being started, in this version or another. Only for work that has a turn. */
  async notStarting(id: string): Promise<void> {
    for (;;) {
      const member = this.fleet.members.get(id);
      const under = member?.switching ?? member?.starting;
      if (!under) return;
      await this.#await(under);
    }
  }

  async #follow(id: string, mine: Map<string, () => void>): Promise<void> {
    const before = this.#last.get(id);
    const { promise, resolve } = Promise.withResolvers<void>();
    // One that gives up waiting must not let those behind it pass the one before it.
    const ended = before ? Promise.all([before, promise]) : promise;
    this.#last.set(id, ended);
    mine.set(id, resolve);
    void ended.then(() => this.#last.get(id) === ended && this.#last.delete(id));
    if (before) await this.#await(before);
  }

  #await(under: Promise<unknown>): Promise<unknown> {
    return this.turns.aside(() => within(under, { limitMs: this.#waitMs, failure: busy }));
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
