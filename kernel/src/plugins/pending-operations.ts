import { LongboxError, NotFound } from "@longbox/sdk";
import { z } from "zod";
import { inject, injectable } from "../injection.js";
import type { Actor } from "./audit.js";
import { Surroundings } from "./running/surroundings.js";

/** A change of the plugins that has been asked for and has not ended. */
export const pendingOperationSchema = z
  .object({
    id: z.number().int(),
    action: z.enum(["install", "uninstall", "enable", "disable", "rollback", "isolate"]),
    /** The name in the request: an id, or a package. */
    plugin: z.string(),
    version: z.string().optional(),
    username: z.string(),
    startedAt: z.string(),
    /** `preparing`: the package is fetched and checked. `waiting`: for the end of other operations. */
    state: z.enum(["preparing", "waiting", "running"]),
  })
  .meta({ id: "PendingPluginOperation" });
export type PendingOperation = z.output<typeof pendingOperationSchema>;

/** What an operation says of itself. */
export interface OperationStart extends Pick<PendingOperation, "action" | "plugin"> {
  readonly version?: string | undefined;
  readonly by: Actor;
}

/** The handle of an operation for the code that carries it out. */
export interface Operating {
  /** Aborts when the operation is cancelled. */
  readonly signal: AbortSignal;
  now(state: PendingOperation["state"], plugin?: string): void;
}

interface Entry {
  readonly shown: PendingOperation;
  /** The id of the plugin, once it is known. */
  plugin: string;
  state: PendingOperation["state"];
  readonly abort: AbortController;
}

/** The operations on plugins that are under way, which can be seen and cancelled. */
@injectable()
export class PendingOperations {
  readonly #entries = new Map<number, Entry>();
  #last = 0;

  constructor(@inject(Surroundings) private readonly surroundings: Surroundings) {}

  list(): PendingOperation[] {
    return [...this.#entries.values()].map(({ shown, state }) => ({ ...shown, state }));
  }

  async follow<T>({ by, version, ...start }: OperationStart, work: (operating: Operating) => Promise<T>): Promise<T> {
    const id = (this.#last += 1);
    const times = { startedAt: new Date().toISOString(), state: "waiting" as const };
    const shown = { id, ...start, ...(version !== undefined && { version }), username: by.username, ...times };
    const entry: Entry = { shown, plugin: start.plugin, state: "waiting", abort: new AbortController() };
    this.#entries.set(id, entry);
    try {
      return await work({
        signal: entry.abort.signal,
        now(state, plugin = entry.plugin) {
          Object.assign(entry, { state, plugin });
        },
      });
    } finally {
      this.#entries.delete(id);
    }
  }

  /** Ends an operation that waits; of one that runs, the start of the plugin is given up. @throws {NotFound} */
  cancel(id: number): void {
    const entry = this.#entries.get(id);
    if (!entry) throw new NotFound("kernel/operation-not-found", `There is no operation ${id}; it may have ended.`);
    entry.abort.abort(
      new LongboxError("conflict", "kernel/operation-cancelled", "The operation was cancelled by an administrator."),
    );
    if (entry.state === "running") this.surroundings.giveUpStart(entry.plugin);
  }
}
