import { foldTitle, isAmong, LongboxError, systemViewer, within, type Logger } from "@longbox/sdk";
import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { FileNames, ParsedName } from "@longbox/files/contract";
import type { Kysely } from "kysely";
import { cleanMessage } from "../clean-messages.js";
import type { Release } from "../contract.js";
import { namesOf } from "../keeping/named-rows.js";
import type { TriedRecords } from "../keeping/tried-records.js";
import type { ItemRecords } from "../queue/item-records.js";
import type { DownloadSettings } from "../settings.js";
import type { DownloadTables } from "../tables.js";
import { leftToday } from "./automatic.js";
import { asCalledIn, issuesIn } from "./numbers.js";
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
  readonly settings: () => DownloadSettings;
  readonly queued: () => void;
  readonly log: Logger;
}

const rememberedMs = 90 * 86_400_000;
const patienceMs = 60_000;
/** Series that are read at once. */
const atOnce = 500;

interface NamedSeries {
  readonly id: number;
  readonly titles: readonly string[];
}

/** The folded titles of series that a name may mean: an annual may be part of its series, or of a series of annuals. */
function titlesOf({ series = "", kind }: ParsedName): string[] {
  const titles = [series, ...(kind === "annual" || kind === "special" ? [`${series} ${kind}`] : [])];
  return titles.map(foldTitle).filter((title) => title !== "");
}

/** Watches what sources have new, so that a wanted issue is grabbed without a search. */
export class Feeds {
  constructor(private readonly parts: FeedsParts) {}

  /** @returns how many releases were taken */
  async watch(signal: AbortSignal): Promise<number> {
    const most = await leftToday(this.parts);
    let taken = 0;
    for (const place of this.parts.places.enabled()) {
      if (!place.source.latest || taken >= most) continue;
      try {
        taken += await this.#look(place, most - taken, signal);
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

  async #look(place: Place, most: number, signal: AbortSignal): Promise<number> {
    const hasSeen = (page: readonly Pick<Release, "guid">[]) => this.#hasSeen(place.source.id, page);
    const releases = await within(place.source.latest!({ signal, urgency: "background", hasSeen }), {
      limitMs: patienceMs,
      signal,
      failure: () => new LongboxError("upstream", "downloads/source-slow", "It did not answer within a minute."),
    });
    const unseen = await this.#unseen(place.source.id, readReleases(releases, place));
    if (unseen.length === 0) return 0;
    const left = new Set<Release>();
    let taken = 0;
    for (const { release, issue } of await this.#wantedAmong(unseen))
      if (taken >= most) left.add(release);
      else if (await this.#take(place, { release, issue }, signal)) taken += 1;
    await this.#noteSeen(
      place.source.id,
      unseen.filter((release) => !left.has(release)),
    );
    return taken;
  }

  /** What was left for the limit of the day is looked at again. */
  async #noteSeen(sourceId: string, releases: readonly Release[]): Promise<void> {
    if (releases.length === 0) return;
    const at = Date.now();
    await this.parts.database
      .insertInto("seen")
      .values(releases.map(({ guid }) => ({ source_id: sourceId, guid, at })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async #hasSeen(sourceId: string, releases: readonly Pick<Release, "guid">[]): Promise<boolean> {
    if ((await this.#seenAmong(sourceId, releases)).size > 0) return true;
    const first = this.parts.database.selectFrom("seen").select("guid").where("source_id", "=", sourceId);
    return (await first.limit(1).executeTakeFirst()) === undefined;
  }

  async #seenAmong(sourceId: string, releases: readonly Pick<Release, "guid">[]): Promise<ReadonlySet<string>> {
    const asked = releases.map(({ guid }) => guid);
    const known = await this.parts.database
      .selectFrom("seen")
      .select("guid")
      .where("source_id", "=", sourceId)
      .where(isAmong("guid", asked))
      .execute();
    return new Set(known.map(({ guid }) => guid));
  }

  async #unseen(sourceId: string, releases: readonly Release[]): Promise<Release[]> {
    const guids = await this.#seenAmong(sourceId, releases);
    return [...new Map(releases.map((release) => [release.guid, release])).values()].filter(
      ({ guid }) => !guids.has(guid),
    );
  }

  /** Releases whose titles name wanted issues, by any of the titles of their series. */
  async #wantedAmong(releases: readonly Release[]): Promise<Array<{ release: Release; issue: Issue }>> {
    const read = await this.parts.names.readTitles(releases.map(({ title }) => title));
    const named = await this.#seriesByTitle(new Set(read.flatMap(titlesOf)));
    const seriesIds = new Set([...named.values()].flat().map(({ id }) => id));
    const missing = new Map<number, Issue[]>();
    for await (const { issue } of wanted(this.parts.library, { followed: false }, systemViewer))
      if (seriesIds.has(issue.seriesId)) missing.set(issue.seriesId, [...(missing.get(issue.seriesId) ?? []), issue]);
    return releases.flatMap((release, at) =>
      titlesOf(read[at]!)
        .flatMap((title) => named.get(title) ?? [])
        .flatMap(({ id, titles }) => issuesIn(asCalledIn(titles, read[at]!).number, missing.get(id) ?? []))
        .map((issue) => ({ release, issue })),
    );
  }

  /** The series that these folded titles name. */
  async #seriesByTitle(titles: ReadonlySet<string>): Promise<ReadonlyMap<string, readonly NamedSeries[]>> {
    const found = new Map<string, NamedSeries[]>();
    if (titles.size === 0) return found;
    for (let offset = 0; ; offset += atOnce) {
      const { items } = await this.parts.library.listSeries({ limit: atOnce, offset }, systemViewer);
      for (const { id, title, aliases } of items) {
        const series = { id, titles: [title, ...aliases] };
        for (const name of new Set(series.titles.map(foldTitle)))
          if (titles.has(name)) found.set(name, [...(found.get(name) ?? []), series]);
      }
      if (items.length < atOnce) return found;
    }
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
    await tried.tried(added.map(() => issue.id));
    return added.length > 0;
  }
}
