import { randomUUID } from "node:crypto";
import { isLongboxError, systemViewer, type KernelUsers, type Viewer } from "@longbox/sdk";
import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { Arriving } from "../arriving/arriving.js";
import type { DownloadSource, Grab, Indexer } from "../contract.js";
import type { Places } from "../deciding/places.js";
import { readRelease, storedRelease } from "../deciding/release-shape.js";
import type { Found, Searching } from "../deciding/searching.js";
import { GivenUp, ReleaseUnusable, TryLater } from "../errors.js";
import type { OwnDownload } from "../fetching/own-download.js";
import type { Item, ItemRecords } from "./item-records.js";
import type { Leaving } from "./leaving.js";
import type { Live } from "./live.js";

export interface PerformingParts {
  readonly items: ItemRecords;
  readonly library: CollectionContract;
  readonly users: KernelUsers;
  readonly searching: Searching;
  readonly places: Places;
  readonly own: OwnDownload;
  readonly arriving: Arriving;
  readonly leaving: Leaving;
  readonly live: Live;
  /** Whether plugins that start with the server do not run yet. */
  readonly areStarting: () => boolean;
  readonly changed: () => void;
}

const minuteMs = 60_000;
/** For what another plugin brings: it is looked for again at once when one does, and now and then besides. */
const awayMs = 5 * minuteMs;

/** Does what is next for one item, until it waits for a client, ends, or fails. */
export class Performing {
  constructor(private readonly parts: PerformingParts) {}

  /** @throws what `Ending` understands */
  async perform(given: Item, signal: AbortSignal): Promise<void> {
    let item: Item | undefined = given;
    while (item && !signal.aborted) {
      this.parts.changed();
      if (item.state === "queued") item = await this.#begin(item, signal);
      else if (item.state === "downloading") item = await this.#download(item, signal);
      else if (item.state === "importing") return this.#import(item);
      else return;
    }
    signal.throwIfAborted();
  }

  /**
   * A release that was handed over before the server stopped: asks the client, and hands it over if it has not got it.
   */
  async handOver(item: Item, signal: AbortSignal): Promise<void> {
    const client = this.parts.places.client(item.client_id!);
    if (!client)
      throw new TryLater("The download client is not there.", {
        afterMs: this.#awayMs(),
        counts: false,
        waitsFor: "client",
      });
    const release = readRelease(item.release!);
    const order = { key: item.grab_key!, infoHash: release.infoHash };
    const known = await client.find(order).catch((fault: unknown) => {
      signal.throwIfAborted();
      throw clientAway(fault);
    });
    const grab = known ? undefined : await this.#grab(item, signal);
    const { id } = known ?? (await client.add(grab!, { key: order.key, title: release.title, signal }));
    await this.parts.items.note(item.id, "grabbed", {
      client_download: id,
      phase: null,
      error: null,
      moved_at: Date.now(),
    });
    this.parts.changed();
  }

  async #begin(item: Item, signal: AbortSignal): Promise<Item | undefined> {
    const issue = await this.#checkWanted(item);
    // What has arrived is imported, also when the issue is owned: a stop may have cut off the record of this very file.
    if (item.path !== null) return this.parts.items.advance(item.id, "arrive", {});
    if (issue === "owned") {
      await this.parts.items.advance(item.id, "cancel", { error: "The library has it by now." });
      return undefined;
    }
    if (item.release === null) {
      const searching = await this.parts.items.advance(item.id, "search", { phase: null });
      if (!searching) return undefined;
      this.parts.changed();
      return this.#take(searching, await this.#search(searching, issue!, signal), signal);
    }
    return this.#take(item, undefined, signal);
  }

  /** The rights and the sight of the user who asked count at the moment of the work. */
  async #checkWanted(item: Item): Promise<Issue | "owned" | undefined> {
    const viewer = await this.#viewerOf(item);
    if (!viewer?.may("downloads.grab")) throw new GivenUp("The user who asked for it may no longer download.");
    if (item.kind === "pack") {
      if (!(await this.parts.library.findSeries(item.series_id, viewer))) throw new GivenUp("The series is not there.");
      return undefined;
    }
    const [issue] = await this.parts.library.findIssues([item.issue_id!], viewer);
    if (!issue) throw new GivenUp("It is not there for the user who asked for it.");
    return issue.owned && item.replaces === 0 ? "owned" : issue;
  }

  async #viewerOf({ user_id }: Item): Promise<Viewer | undefined> {
    return user_id < 0 ? systemViewer : this.parts.users.viewerOf(user_id);
  }

  async #search(item: Item, issue: Issue, signal: AbortSignal): Promise<Found> {
    const { library, searching } = this.parts;
    const series = await library.findSeries(issue.seriesId, systemViewer);
    if (!series) throw new GivenUp("The series is not there.");
    const issues = await library.listIssues(series.id, systemViewer);
    const outcome = await searching.search(
      { series, issue, issues, typed: undefined, packs: false },
      { signal, urgency: "background", replaces: item.replaces === 1, itemId: item.id },
    );
    const [best] = outcome.found;
    if (best?.accepted) return best;
    if (outcome.asked === 0)
      throw new TryLater("No source is switched on.", { afterMs: this.#awayMs(), counts: false, waitsFor: "source" });
    const later = outcome.found.find(({ acceptedLater }) => acceptedLater);
    if (later) throw waitingFor(later);
    const [problem] = outcome.problems;
    if (problem) throw new TryLater(`${problem.source}: ${problem.message}`, { afterMs: 15 * minuteMs });
    const before = item.error === null ? "" : ` Before that: ${item.error}`;
    const found = best
      ? `None of ${outcome.found.length} releases fits. The best: ${best.release.title}. ${best.refusal}`
      : "No source has it.";
    throw new GivenUp(`${found}${before}`.slice(0, 900));
  }

  /** Begins an attempt: the item says whose it is before anything is asked for. */
  async #take(item: Item, found: Found | undefined, signal: AbortSignal): Promise<Item | undefined> {
    const release = found?.release ?? readRelease(item.release!);
    const resumes =
      found === undefined && item.grab_key !== null && item.client_id === null && release.protocol === "direct";
    const attempt = {
      ...(found && {
        source_id: found.place.source.id,
        source_name: found.place.source.name,
        release_key: found.key,
        release_title: found.release.title,
        release: storedRelease(found.release),
      }),
      ...(!resumes && { grab_key: randomUUID(), validator: null }),
      phase: null,
      moved_at: Date.now(),
    };
    const { items, places } = this.parts;
    if (release.protocol === "direct") {
      if (item.kind === "pack") throw new ReleaseUnusable("Packs are downloaded by clients only.");
      return this.#advance(item, "fetch", attempt);
    }
    const client = await places.clientFor(release.protocol);
    if (!client)
      throw new TryLater(`No client for ${release.protocol} is switched on.`, {
        afterMs: this.#awayMs(),
        counts: false,
        waitsFor: "client",
      });
    const grabbed = await this.#advance(item, "hand over", {
      ...attempt,
      client_id: client.id,
      client_download: null,
      phase: "adding",
    });
    if (grabbed) {
      await this.handOver(grabbed, signal);
      await items.note(item.id, "grabbed", { delays: 0 });
    }
    return undefined;
  }

  async #advance(
    item: Item,
    event: "fetch" | "hand over",
    set: Parameters<ItemRecords["advance"]>[2],
  ): Promise<Item | undefined> {
    try {
      return await this.parts.items.advance(item.id, event, set);
    } catch (fault) {
      // The only rule that this can break: of one release there is one open item.
      const taken = await this.parts.items.takenReleases([String(set?.release_key ?? "")]);
      if (taken.size === 0 || [...taken.values()].includes(item.id)) throw fault;
      throw new TryLater("Another item of the queue has this release.", { afterMs: 5 * minuteMs });
    }
  }

  async #grab(item: Item, signal: AbortSignal): Promise<Grab> {
    const indexer = this.#sourceOf<Indexer>(item);
    const grab = await indexer.grab(readRelease(item.release!), { signal, urgency: "background" });
    if (grab.kind === "file" && grab.contents?.length === 0) throw new ReleaseUnusable("It holds no file.");
    return grab;
  }

  async #download(item: Item, signal: AbortSignal): Promise<Item | undefined> {
    const { items, own, leaving, live } = this.parts;
    const source = this.#sourceOf<DownloadSource>(item);
    const release = readRelease(item.release!);
    const download = await source.resolve(release, { signal, urgency: "background" });
    const path = await own.fetch({
      download,
      folder: leaving.folderOf(item.grab_key!),
      title: release.title,
      validator: item.validator ?? undefined,
      signal,
      keep: async (validator, totalBytes) => {
        await items.note(item.id, "downloading", { validator: validator ?? null, total_bytes: totalBytes ?? null });
      },
      moved: (done, total) => live.bytes(item.id, done, total),
    });
    live.forget(item.id);
    return items.advance(item.id, "arrive", { path, error: null });
  }

  /** A plugin that starts with the server is there in a moment. */
  #awayMs(): number {
    return this.parts.areStarting() ? 1_000 : awayMs;
  }

  #sourceOf<T extends DownloadSource | Indexer>({ source_id }: Item): T {
    const place = this.parts.places.find(source_id!);
    if (!place?.source.enabled)
      throw new TryLater("Its source is not there, or is switched off.", {
        afterMs: this.#awayMs(),
        counts: false,
        waitsFor: "source",
      });
    return place.source as T;
  }

  async #import(item: Item): Promise<void> {
    const { arriving, items, leaving, places, areStarting } = this.parts;
    const client = item.client_id === null ? undefined : places.client(item.client_id);
    // What becomes of the download there afterwards is for its settings to say.
    if (item.client_id !== null && !client && areStarting())
      throw new TryLater("The download client is not there.", {
        afterMs: this.#awayMs(),
        counts: false,
        waitsFor: "client",
      });
    const said = await arriving.import(item).catch((fault: unknown) => {
      // The user's own file came first.
      const cause = fault instanceof Error ? fault.cause : undefined;
      if (isLongboxError(cause) && cause.code === "files/owned-already") return "The library has it by now.";
      throw fault;
    });
    const set = { error: said === "" ? null : said, phase: null };
    const removes = client && client.removesImported && !client.shares && item.kind === "issue";
    if (item.client_id === null || removes) await leaving.behindAfter(item, { event: "place", set });
    else await items.advance(item.id, "place", set);
  }
}

/** A client that cannot be asked, as while it restarts, says nothing against the release. */
function clientAway(fault: unknown): unknown {
  if (!isLongboxError(fault) || fault.kind !== "upstream") return fault;
  const afterMs = Math.max(15_000, (fault.retryAfterSeconds ?? 0) * 1000);
  return new TryLater(fault.message, { afterMs, counts: false, cause: fault });
}

/** Nothing is wrong with the release: it waits for space on the disk, a client, or its source. */
function waitingFor({ reasons, refusal, release }: Found): TryLater {
  const waitsFor = reasons.some(({ code }) => code === "no-client") ? { waitsFor: "client" as const } : {};
  return new TryLater(`${release.title}: ${refusal}`, { afterMs: 10 * minuteMs, counts: false, ...waitsFor });
}
