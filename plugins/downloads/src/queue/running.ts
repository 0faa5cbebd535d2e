import { isLongboxError, type Logger } from "@longbox/sdk";
import { cleanMessage } from "../clean-messages.js";
import { DownloadClients, DownloadSources, Indexers } from "../contract.js";
import { TryLater } from "../errors.js";
import type { DownloadSettings } from "../settings.js";
import type { Ending } from "./ending.js";
import type { Item, ItemRecords } from "./item-records.js";
import type { Leaving } from "./leaving.js";
import type { Live } from "./live.js";
import type { Performing } from "./performing.js";

export interface RunningParts {
  readonly items: ItemRecords;
  readonly performing: Performing;
  readonly ending: Ending;
  readonly leaving: Leaving;
  readonly live: Live;
  readonly settings: () => DownloadSettings;
  readonly paused: () => boolean;
  /** Whether sources can be asked for releases: until they can, items wait as they are. */
  readonly canSearch: () => boolean;
  readonly changed: () => void;
  /** Items were handed to clients, or something was left with them. */
  readonly watch: () => void;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

const longestTimerMs = 3_600_000;
/** For the plugin of a source: it is looked for again at once when it is back, and now and then besides. */
const awayMs = 5 * 60_000;

/**
 * Works on items, a few at a time, in their order. Items are not jobs: an item waits for days, is tried again, ordered
 * and paused by people, and its state (progress, errors, where it goes on after a restart) is that of its table.
 */
export class Running {
  readonly #running = new Map<number, { readonly stop: AbortController; readonly ended: Promise<void> }>();
  #timer: NodeJS.Timeout | undefined;
  #filling: Promise<void> | undefined;
  #again = false;
  #isReleased = false;

  constructor(private readonly parts: RunningParts) {}

  /** Goes on with what was interrupted when the server stopped, and removes what nothing needs any more. */
  async resume(): Promise<void> {
    const interrupted = await this.parts.items.interrupted();
    await this.parts.leaving.removeFilesBut(interrupted);
    for (const item of interrupted) this.#start(item);
    this.wake();
  }

  /** Something may be next. Cheap; may be called at any time. */
  wake(): void {
    if (this.#isReleased) return;
    if (this.#filling) {
      this.#again = true;
      return;
    }
    this.#filling = this.#fill()
      .catch((fault: unknown) => {
        if (!this.#isReleased) this.parts.log.error("The queue could not go on.", { fault: cleanMessage(fault) });
      })
      .finally(() => {
        this.#filling = undefined;
        if (this.#again) {
          this.#again = false;
          this.wake();
        }
      });
  }

  /** Works on an item that is not in a turn of its own, such as one that a client has finished. */
  start(item: Item): void {
    if (!this.#isReleased && !this.#running.has(item.id)) this.#start(item);
  }

  isRunning(itemId: number): boolean {
    return this.#running.has(itemId);
  }

  /** Stops the work on an item, and waits until it has stopped. */
  async stop(itemId: number): Promise<void> {
    const running = this.#running.get(itemId);
    running?.stop.abort(new Error("The item was stopped."));
    await running?.ended;
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    clearTimeout(this.#timer);
    await this.#filling;
    const all = [...this.#running.values()];
    for (const { stop } of all) stop.abort(new Error("The plugin stops."));
    await Promise.all(all.map(({ ended }) => ended));
  }

  async #fill(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.parts.paused() || !this.parts.canSearch()) return;
    const free = this.parts.settings().concurrency - this.#running.size;
    if (free <= 0) return;
    for (const item of await this.parts.items.next(free, new Set(this.#running.keys()))) this.#start(item);
    const at = this.#running.size < this.parts.settings().concurrency ? await this.parts.items.nextAt() : undefined;
    if (at === undefined || this.#isReleased) return;
    this.#timer = setTimeout(() => this.wake(), Math.min(longestTimerMs, Math.max(250, at - Date.now()))).unref();
  }

  #start(item: Item): void {
    const stop = new AbortController();
    const ended = this.#perform(item, stop.signal).finally(() => {
      this.#running.delete(item.id);
      this.parts.live.forget(item.id);
      this.parts.changed();
      this.parts.watch();
      this.wake();
    });
    this.#running.set(item.id, { stop, ended });
  }

  async #perform(item: Item, signal: AbortSignal): Promise<void> {
    try {
      if (item.state === "grabbed") await this.parts.performing.handOver(item, signal);
      else await this.parts.performing.perform(item, signal);
    } catch (fault) {
      if (signal.aborted || this.parts.signal.aborted) return;
      // A contract was switched off: its provider comes back, and the item goes on.
      if (isLongboxError(fault) && fault.code === "kernel/stopped") return;
      await this.#end(item.id, fault);
    }
  }

  async #end(id: number, fault: unknown): Promise<void> {
    try {
      const present = await this.parts.items.find(id);
      if (present?.open !== 1) return;
      if (!isContributorGone(fault)) return await this.parts.ending.failed(present, fault);
      // The client may have the release by now. Once its plugin is back, it is asked, and nothing is added twice.
      if (present.state === "grabbed") return;
      const delay = { afterMs: awayMs, counts: false, waitsFor: "source" } as const;
      await this.parts.ending.failed(present, new TryLater("The plugin of its source is not there.", delay));
    } catch (again) {
      if (!this.#isReleased)
        this.parts.log.error("The end of an item could not be written.", { item: id, fault: cleanMessage(again) });
    }
  }
}

const points: ReadonlySet<unknown> = new Set([DownloadSources.id, Indexers.id, DownloadClients.id]);

/** The plugin of a source or client stopped in the middle of a call. */
function isContributorGone(fault: unknown): boolean {
  if (!isLongboxError(fault) || fault.code !== "kernel/capability-gone") return false;
  return points.has((fault.details as { readonly capability?: unknown } | undefined)?.capability);
}
