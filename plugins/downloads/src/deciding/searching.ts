import type { FileNames, ParsedName } from "@longbox/files/contract";
import { foldTitle, isLongboxError, LongboxError, within } from "@longbox/sdk";
import { cleanMessage } from "../clean-messages.js";
import type { Release, Resting, SearchControl } from "../contract.js";
import type { BlocklistRecords } from "../keeping/blocklist-records.js";
import type { ItemRecords } from "../queue/item-records.js";
import type { DownloadSettings } from "../settings.js";
import { judge, type Candidate, type Verdict } from "./judging.js";
import { restingOf, type Place, type Places } from "./places.js";
import { releaseKey, releaseSchema, sameRelease } from "./release-shape.js";
import { queryOf, type SearchTarget } from "./search-target.js";

export interface SearchingParts {
  readonly places: Places;
  readonly names: FileNames;
  readonly blocklist: BlocklistRecords;
  readonly items: ItemRecords;
  readonly settings: () => DownloadSettings;
  /** What is free for downloads, in bytes. */
  readonly freeBytes: () => Promise<number>;
}

/** A release with what was decided about it. */
export interface Found extends Verdict {
  readonly place: Place;
  readonly release: Release;
  readonly key: string;
}

export interface SearchOutcome {
  /** The accepted ones first, each part best first. */
  readonly found: readonly Found[];
  /** Sources that could not be asked. */
  readonly problems: ReadonlyArray<{ readonly source: string; readonly message: string }>;
  /** How many sources were asked. */
  readonly asked: number;
}

export interface SearchOptions extends SearchControl {
  /** The files are to be replaced. */
  readonly replaces: boolean;
  /** The open item that searches: its own release does not count as queued. */
  readonly itemId?: number | undefined;
  /** Only sources of these kinds are asked. */
  readonly kinds?: ReadonlyArray<Place["kind"]> | undefined;
}

type Offer = { readonly place: Place; readonly rank: number; readonly release: Release };

const patienceMs = 45_000;
const mostOfOne = 200;

/** Asks every source, and decides on what they offer. */
export class Searching {
  constructor(private readonly parts: SearchingParts) {}

  async search(target: SearchTarget, options: SearchOptions): Promise<SearchOutcome> {
    const places = this.parts.places.enabled().filter(({ kind }) => options.kinds?.includes(kind) ?? true);
    const problems: Array<{ source: string; message: string }> = [];
    const offers = await Promise.all(
      places.map(async (place, rank) => {
        try {
          const releases = await this.#ask(place, target, options);
          this.parts.places.noteProblem(place.source.id, undefined);
          return releases.map((release): Offer => ({ place, rank, release }));
        } catch (fault) {
          options.signal.throwIfAborted();
          const message = isLongboxError(fault) ? cleanMessage(fault) : "It did not answer in a way that can be read.";
          this.parts.places.noteProblem(place.source.id, message);
          problems.push({ source: place.source.name, message });
          return [];
        }
      }),
    );
    return { found: await this.decide(once(offers.flat()), target, options), problems, asked: places.length };
  }

  /** Decides on releases of one target. */
  async decide(offers: readonly Offer[], target: SearchTarget, options: SearchOptions): Promise<Found[]> {
    const keys = offers.map(({ place, release }) => releaseKey(place.source.id, release));
    const [blocked, queued, candidates, freeBytes, resting] = await Promise.all([
      this.parts.blocklist.among(keys),
      this.parts.items.takenReleases(keys),
      this.#read(offers, target),
      this.parts.freeBytes(),
      restingAmong(offers),
    ]);
    const settings = this.parts.settings();
    const found = offers.map(({ place, rank, release }, at): Found => {
      const key = keys[at]!;
      const taker = queued.get(key);
      const verdict = judge(candidates[at]!, target, {
        settings,
        rank,
        blocked: blocked.get(key),
        isQueued: taker !== undefined && taker !== options.itemId,
        hasClient: this.parts.places.hasClientFor(release.protocol),
        freeBytes,
        resting: resting.get(place.source.id),
        replaces: options.replaces,
      });
      return { ...verdict, place, release, key };
    });
    return found.toSorted((one, other) => Number(other.accepted) - Number(one.accepted) || other.score - one.score);
  }

  async #ask(place: Place, target: SearchTarget, { signal, urgency }: SearchControl): Promise<Release[]> {
    const releases = await within(place.source.search(queryOf(target), { signal, urgency }), {
      limitMs: patienceMs,
      signal,
      failure: () => new LongboxError("upstream", "downloads/source-slow", "It did not answer in 45 seconds."),
    });
    return readReleases(releases, place);
  }

  async #read(offers: readonly Offer[], { series }: SearchTarget): Promise<Candidate[]> {
    const titles = offers.map(({ release }) => release.title);
    const [plain, hinted] = await Promise.all([
      this.parts.names.readTitles(titles),
      this.parts.names.readTitles(titles, { series: series.title }),
    ]);
    const wanted = foldTitle(series.title);
    const read: Candidate[] = [];
    for (const [at, { release }] of offers.entries()) {
      const names = release.fileNames ?? [];
      const files = names.length > 0 ? await this.parts.names.readFiles(names, { series: series.title }) : [];
      read.push({ release, files, parsed: choose(plain[at]!, hinted[at]!, wanted) });
    }
    return read;
  }
}

/** The sources of these offers that are left alone now. */
async function restingAmong(offers: readonly Offer[]): Promise<ReadonlyMap<string, Resting>> {
  const sources = new Map(offers.map(({ place: { source } }) => [source.id, source]));
  const asked = await Promise.all(
    [...sources.values()].map(async (source) => ({ id: source.id, resting: await restingOf(source) })),
  );
  return new Map(asked.flatMap(({ id, resting }) => (resting ? [[id, resting]] : [])));
}

/** The reading that knows the series, where that makes it the series; otherwise what the title says by itself. */
function choose(plain: ParsedName, hinted: ParsedName, wanted: string): ParsedName {
  return hinted.series !== undefined && foldTitle(hinted.series) === wanted ? hinted : plain;
}

/** What a source offers and can be used; the rest is left out. */
export function readReleases(releases: unknown, place: Place): Release[] {
  if (!Array.isArray(releases)) throw new TypeError("Not a list.");
  return releases.slice(0, mostOfOne).flatMap((each: unknown) => {
    const read = releaseSchema.safeParse(each);
    return read.success && read.data.protocol === protocolOf(place) ? [read.data] : [];
  });
}

const protocolOf = ({ kind }: Place) => (kind === "site" || kind === "catalog" ? "direct" : kind);

/** What several sources offer counts once, from the one that comes first. */
function once(offers: readonly Offer[]): Offer[] {
  const kept = new Map<string, Offer>();
  for (const offer of offers) {
    const key = sameRelease(offer.release);
    if (!kept.has(key)) kept.set(key, offer);
  }
  return [...kept.values()];
}
