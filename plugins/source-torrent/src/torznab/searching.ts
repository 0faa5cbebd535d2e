import { hash } from "node:crypto";
import type { Release, ReleaseQuery, SearchControl, WatchControl } from "@longbox/downloads/contract";
import { foldWords } from "@longbox/sdk";
import { readMagnet } from "../torrents/magnet.js";
import type { Asking } from "./asking.js";
import type { FeedItem } from "./feed.js";
import { pageWithoutKeys, withoutKey } from "./keys.js";

const mostAliases = 3;
const mostPages = 4;
const longestReference = 4_000;

/** Categories by the type of the library; 7000 includes all that is inside it. */
const categoriesByType: Readonly<Record<string, readonly string[]>> = {
  comic: ["7030"],
  manga: ["7030"],
  ebook: ["7000", "7020"],
  magazine: ["7000", "7010"],
  audiobook: ["3030"],
};
const everything = ["3030", "7000", "7020", "7030"];

/** Finds what an indexer has. */
export class Searching {
  constructor(private readonly asking: Asking) {}

  /** The title with the number, then the title alone, then other titles: until something is found. */
  async search(query: ReleaseQuery, control: SearchControl): Promise<Release[]> {
    const { mostItems } = await this.asking.abilities(control);
    const parameters = { cat: this.#categories(query.libraryType), limit: String(Math.min(query.limit, mostItems)) };
    for (const words of wordings(query)) {
      const items = await this.asking.items({ ...parameters, q: words }, control);
      const found = items.flatMap((item) => this.#releaseOf(item) ?? []);
      if (found.length > 0) return best(found, query).slice(0, query.limit);
    }
    return [];
  }

  async latest(control: WatchControl): Promise<Release[]> {
    const { mostItems } = await this.asking.abilities(control);
    const { categories } = this.asking.entry;
    const cat = (categories.length > 0 ? categories : everything).join(",");
    const found = new Map<string, Release>();
    for (let page = 0, offset = 0; page < mostPages; page += 1) {
      const items = await this.asking.items({ cat, limit: String(mostItems), offset: String(offset) }, control);
      // Many indexers know no offset, and answer with the first page again.
      const fresh = items.flatMap((item) => this.#releaseOf(item) ?? []).filter(({ guid }) => !found.has(guid));
      for (const release of fresh) found.set(release.guid, release);
      offset += items.length;
      if (items.length < mostItems || fresh.length === 0 || (await control.hasSeen(fresh))) break;
    }
    return [...found.values()];
  }

  #categories(libraryType: string): string {
    const { categories } = this.asking.entry;
    return (categories.length > 0 ? categories : (categoriesByType[libraryType] ?? everything)).join(",");
  }

  #releaseOf(item: FeedItem): Release | undefined {
    const { apiKey } = this.asking.entry;
    const address = item.url === undefined ? undefined : this.asking.absolute(item.url);
    const reference = address ?? (item.magnet === undefined ? undefined : readMagnet(item.magnet)?.uri);
    if (reference === undefined || reference.length > longestReference || item.title === "") return undefined;
    const infoUrl = item.infoUrl === undefined ? undefined : pageWithoutKeys(item.infoUrl, apiKey);
    return {
      guid: guidOf(item, reference),
      title: withoutKey(item.title, apiKey).slice(0, 500),
      protocol: "torrent",
      reference,
      ...(item.sizeBytes !== undefined && { sizeBytes: item.sizeBytes }),
      ...(item.publishedAt !== undefined && { publishedAt: item.publishedAt }),
      ...(item.seeders !== undefined && { seeders: item.seeders }),
      ...(item.infoHash !== undefined && { infoHash: item.infoHash }),
      ...(infoUrl !== undefined && { infoUrl }),
    };
  }
}

/** Many indexers take the download address, with the key in it, for the id. */
function guidOf({ guid, infoHash }: FeedItem, reference: string): string {
  return infoHash ?? hash("sha256", guid === "" ? reference : guid);
}

function wordings({ series, aliases, issue, packs, typed }: ReleaseQuery): string[] {
  const title = plainWords(series);
  if (typed) return [title];
  const number = packs || !issue || !/^\d{1,4}$/u.test(issue.number) ? undefined : issue.number.padStart(3, "0");
  const others = aliases.slice(0, mostAliases).map(plainWords);
  return [...new Set([...(number === undefined ? [] : [`${title} ${number}`]), title, ...others])].filter(Boolean);
}

/** Indexers search for words, and take punctuation for operators. */
function plainWords(title: string): string {
  return title
    .replaceAll(/['’]/gu, "")
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}

/** Those whose titles have the number come first. */
function best(found: readonly Release[], { issue }: ReleaseQuery): Release[] {
  if (!issue) return [...found];
  const number = ` ${foldWords(issue.number).replace(/^0+(?=\d)/u, "")} `;
  const has = ({ title }: Release) => ` ${foldWords(title).replaceAll(/\b0+(?=\d)/gu, "")} `.includes(number);
  return found.toSorted((one, other) => Number(has(other)) - Number(has(one)));
}
