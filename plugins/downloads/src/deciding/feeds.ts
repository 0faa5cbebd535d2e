import { foldTitle, isAmong, LongboxError, systemViewer, within, type Logger } from "@longbox/sdk";
import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { FileNames } from "@longbox/files/contract";
import type { Kysely } from "kysely";
import { cleanMessage } from "../clean-messages.js";
import type { Release } from "../contract.js";
import { namesOf } from "../keeping/named-rows.js";
import type { TriedRecords } from "../keeping/tried-records.js";
import type { ItemRecords } from "../queue/item-records.js";
import type { DownloadTables } from "../tables.js";
import { issuesIn } from "./numbers.js";
import type { Place, Places } from "./places.js";
import { storedRelease } from "./release-shape.js";
import { readReleases, type Searching } from "./searching.js";
import { wanted } from "./wanted-issues.js";

export interface FeedsParts {
  readonly database: Kysely<DownloadTables>;
  readonly library: CollectionContract;
  readonly names: FileNames;
  readonly places: Places;
  readonly searching: Searching;
  readonly items: ItemRecords;
  readonly tried: TriedRecords;
  readonly queued: () => void;
  readonly log: Logger;
}

const rememberedMs = 90 * 86_400_000;
const patienceMs = 60_000;

/** Watches what sources have new, so that a wanted issue is grabbed without a search. */
export class Feeds {
  constructor(private readonly parts: FeedsParts) {}

  /** @returns how many releases were taken */
  async watch(signal: AbortSignal): Promise<number> {
    let taken = 0;
    for (const place of this.parts.places.enabled()) {
      if (!place.source.latest) continue;
      try {
        taken += await this.#look(place, signal);
        this.parts.places.noteProblem(place.source.id, undefined);
      } catch (fault) {
        signal.throwIfAborted();
        this.parts.places.noteProblem(place.source.id, cleanMessage(fault));
        this.parts.log.warn("A feed could not be watched.", { source: place.source.id, fault: cleanMessage(fault) });
      }
    }
    await this.parts.database
      .deleteFrom("seen")
      .where("at", "<", Date.now() - rememberedMs)
      .execute();
    if (taken > 0) this.parts.queued();
    return taken;
  }

  async #look(place: Place, signal: AbortSignal): Promise<number> {
    const releases = await within(place.source.latest!({ signal, urgency: "background" }), {
      limitMs: patienceMs,
      signal,
      failure: () => new LongboxError("upstream", "downloads/source-slow", "It did not answer in a minute."),
    });
    const unseen = await this.#unseen(place.source.id, readReleases(releases, place));
    if (unseen.length === 0) return 0;
    let taken = 0;
    for (const { release, issue } of await this.#wantedAmong(unseen))
      if (await this.#take(place, { release, issue }, signal)) taken += 1;
    const rows = unseen.map(({ guid }) => ({ source_id: place.source.id, guid, at: Date.now() }));
    await this.parts.database
      .insertInto("seen")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return taken;
  }

  async #unseen(sourceId: string, releases: readonly Release[]): Promise<Release[]> {
    const known = await this.parts.database
      .selectFrom("seen")
      .select("guid")
      .where("source_id", "=", sourceId)
      .where(
        isAmong(
          "guid",
          releases.map(({ guid }) => guid),
        ),
      )
      .execute();
    const guids = new Set(known.map(({ guid }) => guid));
    return [...new Map(releases.map((release) => [release.guid, release])).values()].filter(
      ({ guid }) => !guids.has(guid),
    );
  }

  /** Releases whose titles name wanted issues. */
  async #wantedAmong(releases: readonly Release[]): Promise<Array<{ release: Release; issue: Issue }>> {
    const read = await this.parts.names.readTitles(releases.map(({ title }) => title));
    const named = new Set(read.flatMap(({ series }) => (series === undefined ? [] : [foldTitle(series)])));
    const bySeries = new Map<string, Issue[]>();
    for await (const { issue } of wanted(this.parts.library, { followed: false }, systemViewer)) {
      const title = foldTitle(issue.seriesTitle);
      if (named.has(title)) bySeries.set(title, [...(bySeries.get(title) ?? []), issue]);
    }
    return releases.flatMap((release, at) => {
      const { series, number } = read[at]!;
      const issues = bySeries.get(foldTitle(series ?? "")) ?? [];
      return issuesIn(number, issues).map((issue) => ({ release, issue }));
    });
  }

  async #take(
    place: Place,
    { release, issue }: { release: Release; issue: Issue },
    signal: AbortSignal,
  ): Promise<boolean> {
    const { library, searching, items, tried } = this.parts;
    const series = await library.findSeries(issue.seriesId, systemViewer);
    if (!series || (await tried.among([issue.id])).get(issue.id)?.removed) return false;
    const target = { series, issue, issues: [issue], typed: undefined, packs: false };
    const rank = this.parts.places.enabled().findIndex(({ source }) => source.id === place.source.id);
    const [found] = await searching.decide([{ place, rank, release }], target, {
      signal,
      urgency: "background",
      replaces: false,
    });
    if (!found?.accepted) return false;
    const added = await items.add([
      {
        names: namesOf(issue),
        kind: "issue",
        userId: -1,
        replaces: false,
        taken: {
          source_id: place.source.id,
          source_name: place.source.name,
          release_key: found.key,
          release_title: release.title,
          release: storedRelease(release),
        },
      },
    ]);
    return added.length > 0;
  }
}
