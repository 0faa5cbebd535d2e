import type { Release, ReleaseQuery, SearchControl } from "@longbox/downloads/contract";
import { foldTitle, foldWords, UpstreamFailure } from "@longbox/sdk";
import type { Asking } from "./asking.js";
import { absolute, acquisition, nextOf, subsectionOf } from "./links.js";
import type { FeedEntry } from "./reading/feed.js";

/** Feeds that one search reads at most: pages of results, and the series among them. */
const mostFeeds = 12;
const mostSeries = 3;
const templateKeptMs = 3_600_000;

/** Finds what a catalog has by its own search, and follows the series among the results. */
export class Searching {
  #template: { readonly text: string; readonly at: number } | undefined;

  constructor(private readonly asking: Asking) {}

  async search(query: ReleaseQuery, control: SearchControl): Promise<Release[]> {
    const template = await this.template(control);
    const titles = [query.series, ...query.aliases.slice(0, 3)];
    for (const title of titles) {
      const found = await this.#searchFor(title, template, control);
      if (found.length > 0) return best(found, query).slice(0, query.limit);
    }
    return [];
  }

  /** @throws {UpstreamFailure} the catalog has no search */
  async template(control: SearchControl): Promise<string> {
    if (this.#template && Date.now() - this.#template.at < templateKeptMs) return this.#template.text;
    const { url } = this.asking.entry;
    const root = await this.asking.feed(url, control);
    const link = root.links.find(({ rel }) => rel === "search");
    const address = link && absolute(link.href, url);
    const text =
      link?.type.includes("opensearchdescription") && address !== undefined
        ? absolute(await this.asking.description(address, control), address)
        : address;
    if (text === undefined || !/\{|%7B/iu.test(text))
      throw new UpstreamFailure("source-opds/no-search", "The catalog cannot be searched.");
    this.#template = { text, at: Date.now() };
    return text;
  }

  async #searchFor(title: string, template: string, control: SearchControl): Promise<Release[]> {
    const key = foldTitle(title);
    const releases: Release[] = [];
    const waiting: Array<{ readonly url: string; readonly within: string }> = [
      { url: expand(template, title), within: "" },
    ];
    const seen = new Set<string>();
    let series = 0;
    while (waiting.length > 0 && seen.size < mostFeeds) {
      const { url, within } = waiting.shift()!;
      if (seen.has(url)) continue;
      seen.add(url);
      const feed = await this.asking.feed(url, control);
      for (const entry of feed.entries) {
        const release = releaseOf(entry, url, within);
        if (release) releases.push(release);
        else if (series < mostSeries && foldWords(entry.title).includes(key)) {
          const link = subsectionOf(entry);
          const address = link && absolute(link.href, url);
          if (address !== undefined) waiting.push({ url: address, within: entry.title });
          series += 1;
        }
      }
      const next = nextOf(feed, url);
      if (next !== undefined) waiting.unshift({ url: next, within });
    }
    return releases;
  }
}

function best(found: readonly Release[], { issue }: ReleaseQuery): Release[] {
  if (!issue) return [...found];
  const number = ` ${foldWords(issue.number).replace(/^0+(?=\d)/u, "")} `;
  const has = ({ title }: Release) => ` ${foldWords(title).replaceAll(/\b0+(?=\d)/gu, "")} `.includes(number);
  return found.toSorted((one, other) => Number(has(other)) - Number(has(one)));
}

/** An address with the words in the place of its variables: `{?query}`, `{searchTerms}`, `{query}`. */
export function expand(template: string, words: string): string {
  const value = encodeURIComponent(words);
  return template
    .replaceAll(/%7B/giu, "{")
    .replaceAll(/%7D/giu, "}")
    .replaceAll(/\{([?&])([^}]{1,300})\}/gu, (_, sign: string, names: string) => {
      const name =
        names.split(",").find((each) => /^(?:query|q|searchTerms|search)\*?$/u.test(each)) ?? names.split(",")[0]!;
      return `${sign}${name.replace("*", "")}=${value}`;
    })
    .replaceAll(/\{(?:searchTerms|query|q|search)\??\}/gu, value)
    .replaceAll(/\{[^}]{0,100}\}/gu, "");
}

const formats: ReadonlyArray<readonly [RegExp, string]> = [
  [/comicbook\+zip|x-cbz/u, "cbz"],
  [/comicbook-rar|comicbook\+rar|x-cbr/u, "cbr"],
  [/x-cb7/u, "cb7"],
  [/comicbook\+tar|x-cbt/u, "cbt"],
  [/epub\+zip/u, "epub"],
  [/application\/pdf/u, "pdf"],
  [/audio\/(?:mp4|x-m4b)/u, "m4b"],
  [/x-mobipocket-ebook/u, "mobi"],
  [/application\/zip/u, "zip"],
  [/rar/u, "rar"],
  [/audio\/mpeg/u, "mp3"],
];

function releaseOf(entry: FeedEntry, feedUrl: string, within: string): Release | undefined {
  const offers = entry.links.filter(({ rel }) => acquisition.test(rel));
  const ranked = offers
    .map((link) => ({ link, place: formats.findIndex(([type]) => type.test(link.type)) }))
    .toSorted((one, other) => ((one.place + 100) % 100) - ((other.place + 100) % 100));
  const chosen = ranked[0];
  const url = chosen && absolute(chosen.link.href, feedUrl);
  if (!chosen || url === undefined) return undefined;
  const title =
    within === "" || foldWords(entry.title).includes(foldTitle(within)) ? entry.title : `${within} ${entry.title}`;
  return {
    guid: `${entry.id === "" ? url : entry.id} ${chosen.link.type}`.slice(0, 500),
    title: title.slice(0, 500),
    protocol: "direct",
    reference: url,
    ...(chosen.link.length !== undefined && { sizeBytes: chosen.link.length }),
    ...(entry.updated !== undefined && { publishedAt: entry.updated }),
    ...(formats[chosen.place] && { format: formats[chosen.place]![1] }),
  };
}
