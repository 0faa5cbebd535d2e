import type { Logger } from "@longbox/sdk";
import { cleanMessage } from "../clean-messages.js";
import type { ClientDownload, DownloadClient } from "../contract.js";
import type { Places } from "../deciding/places.js";
import { GivenUp, ReleaseUnusable, TryLater } from "../errors.js";
import type { DownloadSettings } from "../settings.js";
import type { Ending } from "./ending.js";
import type { Item, ItemRecords } from "./item-records.js";
import type { Leaving } from "./leaving.js";
import type { Live } from "./live.js";

export interface WatchingParts {
  readonly items: ItemRecords;
  readonly places: Places;
  readonly ending: Ending;
  readonly leaving: Leaving;
  readonly live: Live;
  readonly settings: () => DownloadSettings;
  /** Works on an item: hands it over, or imports what has arrived. */
  readonly start: (item: Item) => void;
  readonly isRunning: (itemId: number) => boolean;
  readonly changed: () => void;
  readonly log: Logger;
}

const everyMs = 3_000;
/** While a download is nearly done, so that it is soon there to be read. */
const nearMs = 1_000;
const nearSeconds = 10;
const nearProgress = 0.95;
/** A client may take a download from its queue before it shows it in its history. */
const lostAfterMs = 5 * 60_000;
const clientGoneAfterMs = 24 * 3_600_000;
const notedEveryMs = 60_000;

/** Asks clients how far their downloads are, for as long as there are any. */
export class Watching {
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #again = false;
  #isReleased = false;

  constructor(private readonly parts: WatchingParts) {}

  /** A client may have downloads in progress. */
  wake(): void {
    if (this.#isReleased) return;
    if (this.#round) {
      this.#again = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#round = this.#watch()
      .catch((fault: unknown) => {
        if (!this.#isReleased) this.parts.log.error("Clients could not be watched.", { fault: cleanMessage(fault) });
        return Date.now() + everyMs * 10;
      })
      .then((nextAt) => {
        this.#round = undefined;
        // Something came to a client after this round had looked.
        if (this.#again) {
          this.#again = false;
          return this.#later(Date.now());
        }
        this.#later(nextAt);
      });
  }

  #later(nextAt: number | undefined): void {
    if (nextAt === undefined || this.#isReleased) return;
    this.#timer = setTimeout(() => this.wake(), Math.max(nearMs, nextAt - Date.now())).unref();
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    clearTimeout(this.#timer);
    await this.#round;
  }

  /** @returns when to look again; undefined when nothing is at any client */
  async #watch(): Promise<number | undefined> {
    const leftAt = await this.parts.leaving.clean();
    const grabbed = await this.parts.items.inState("grabbed");
    let isNear = false;
    for (const [clientId, items] of Map.groupBy(grabbed, ({ client_id }) => client_id!)) {
      if (this.#isReleased) return undefined;
      const client = this.parts.places.client(clientId);
      if (client) isNear = (await this.#ask(client, items)) || isNear;
      else for (const item of items) await this.#missing(item, "The download client is not there.", clientGoneAfterMs);
    }
    return grabbed.length > 0 ? Date.now() + (isNear ? nearMs : everyMs) : leftAt;
  }

  /** @returns whether one of them is nearly done */
  async #ask(client: DownloadClient, items: readonly Item[]): Promise<boolean> {
    const added: Item[] = [];
    for (const item of items) {
      if (item.client_download !== null) added.push(item);
      else if (!this.parts.isRunning(item.id)) this.parts.start(item);
    }
    if (added.length === 0) return false;
    let found: readonly ClientDownload[];
    try {
      found = await client.poll(added.map(({ client_download }) => client_download!));
    } catch (fault) {
      for (const item of added) await this.#missing(item, cleanMessage(fault), clientGoneAfterMs);
      return false;
    }
    const byId = new Map(found.map((download) => [download.id, download]));
    for (const item of added) {
      const download = byId.get(item.client_download!);
      if (this.parts.isRunning(item.id)) continue;
      if (download) await this.#follow(item, download).catch((fault: unknown) => this.parts.ending.failed(item, fault));
      else await this.#missing(item, "The client no longer knows the download.", lostAfterMs);
    }
    return found.some(isNearlyDone);
  }

  async #follow(item: Item, download: ClientDownload): Promise<void> {
    const { items, live } = this.parts;
    if (download.state === "completed") {
      const arrived = await items.advance(item.id, "arrive", { path: download.path, error: null, missing_since: null });
      if (arrived) this.parts.start(arrived);
      return;
    }
    if (download.state === "failed") throw failureOf(download);
    const { progress, bytesPerSecond, secondsLeft, state } = download;
    const before = live.of(item.id).progress ?? 0;
    live.set(item.id, { progress, speed: bytesPerSecond, secondsLeft });
    await this.#note(item, { moved: progress > before, phase: state });
  }

  async #note(item: Item, { moved, phase }: { readonly moved: boolean; readonly phase: string }): Promise<void> {
    const now = Date.now();
    const quietMs = now - (item.moved_at ?? now);
    if (!moved && phase !== "paused" && quietMs > this.parts.settings().stalledHours * 3_600_000)
      throw new ReleaseUnusable(`Nothing came for ${this.parts.settings().stalledHours} hours.`);
    const isDue = item.moved_at === null || (moved && quietMs > notedEveryMs);
    if (!isDue && item.phase === phase && item.missing_since === null) return;
    await this.parts.items.note(item.id, "grabbed", {
      phase,
      error: null,
      missing_since: null,
      ...(isDue && { moved_at: now }),
    });
    this.parts.changed();
  }

  async #missing(item: Item, reason: string, afterMs: number): Promise<void> {
    const now = Date.now();
    if (item.missing_since !== null && now - item.missing_since > afterMs)
      return this.parts.ending.failed(item, new ReleaseUnusable(reason));
    if (item.missing_since !== null && item.error === reason) return;
    await this.parts.items.note(item.id, "grabbed", { error: reason, missing_since: item.missing_since ?? now });
    this.parts.changed();
  }
}

function isNearlyDone({ state, progress, secondsLeft = Infinity }: ClientDownload): boolean {
  if (state === "processing") return true;
  return state === "downloading" && (progress >= nearProgress || secondsLeft <= nearSeconds);
}

function failureOf({ failure, reason }: Extract<ClientDownload, { state: "failed" }>): Error {
  const text = cleanMessage(reason);
  if (failure === "disk")
    return new TryLater(`The client's disk is full. ${text}`, { afterMs: 1_800_000, counts: false });
  if (failure === "client") return new TryLater(`The client failed. ${text}`, { afterMs: 300_000 });
  const words = {
    incomplete: "Parts of it are missing.",
    damaged: "It is damaged.",
    password: "It needs a password.",
    refused: "The client refuses it.",
  }[failure];
  return words === undefined ? new GivenUp(text) : new ReleaseUnusable(`${words} ${text}`.trim());
}
