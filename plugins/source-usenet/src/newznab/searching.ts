import type { Release, ReleaseQuery, SearchControl, WatchControl } from "@longbox/downloads/contract";
import { isLongboxError } from "@longbox/sdk";
import type { Capabilities } from "../reading/document.js";
import type { Asking, Parameters } from "./asking.js";
import { categoriesFor, feedCategories } from "./categories.js";
import { releaseOf } from "./releases.js";
import { wordsFor } from "./words.js";

const capabilitiesKeptMs = 86_400_000;
const usualPage = 100;
const mostPages = 4;

/** Finds what an indexer lists. */
export class Searching {
  #capabilities: { readonly value: Capabilities; readonly at: number } | undefined;

  constructor(private readonly asking: Asking) {}

  async search(query: ReleaseQuery, control: SearchControl): Promise<Release[]> {
    const capabilities = await this.capabilities(control);
    const cat = categoriesFor(query.libraryType, this.asking.entry.categories, capabilities.categories);
    for (const q of wordsFor(query)) {
      const found = await this.#pages({ t: "search", q, cat }, query.limit, control);
      if (found.length > 0) return found;
    }
    return [];
  }

  async latest(control: WatchControl): Promise<Release[]> {
    await this.capabilities(control);
    const { categories } = this.asking.entry;
    const cat = categories.length > 0 ? categories.join(",") : feedCategories;
    const found: Release[] = [];
    let offset = 0;
    for (let page = 0; page < mostPages; page += 1) {
      const { releases, listed, isFull } = await this.#page({ t: "search", cat }, offset, control);
      found.push(...releases);
      offset += listed;
      if (!isFull || (await control.hasSeen(releases))) break;
    }
    return found;
  }

  /** @throws {UpstreamFailure} */
  async capabilities(control: SearchControl): Promise<Capabilities> {
    if (this.#capabilities && Date.now() - this.#capabilities.at < capabilitiesKeptMs) return this.#capabilities.value;
    const value = await this.#askCapabilities(control);
    this.#capabilities = { value, at: Date.now() };
    return value;
  }

  /** An indexer that does not know the question can be searched all the same. */
  async #askCapabilities(control: SearchControl): Promise<Capabilities> {
    const unknown = { title: "", version: "", mostResults: undefined, categories: [] };
    try {
      const document = await this.asking.ask({ t: "caps" }, control);
      return document.kind === "capabilities" ? document.capabilities : unknown;
    } catch (fault) {
      if (isLongboxError(fault) && fault.code === "source-usenet/request-refused") return unknown;
      throw fault;
    }
  }

  async #pages(parameters: Parameters, limit: number, control: SearchControl): Promise<Release[]> {
    const found = new Map<string, Release>();
    let offset = 0;
    for (let page = 0; page < mostPages && found.size < limit; page += 1) {
      const { releases, listed, isFull } = await this.#page(parameters, offset, control);
      const before = found.size;
      for (const release of releases) found.set(release.guid, release);
      offset += listed;
      if (!isFull || found.size === before) break;
    }
    return [...found.values()].slice(0, limit);
  }

  async #page(parameters: Parameters, offset: number, control: SearchControl) {
    const limit = Math.max(1, Math.min(usualPage, this.#capabilities?.value.mostResults ?? usualPage));
    const asked = { ...parameters, extended: "1", limit: String(limit), offset: String(offset) };
    const document = await this.asking.ask(asked, control);
    const items = document.kind === "feed" ? document.items : [];
    const total = document.kind === "feed" ? document.total : undefined;
    const isFull = items.length >= limit && (total === undefined || offset + items.length < total);
    const releases = items.flatMap((item) => releaseOf(item, this.asking.api) ?? []);
    return { releases, listed: items.length, isFull };
  }
}
