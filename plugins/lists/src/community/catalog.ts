import { readFile } from "node:fs/promises";
import type { Answer, Fetch, FileCache, PluginSettings, StoredDocument } from "@longbox/sdk";
import { z } from "zod";
import { CatalogOff, CatalogUnreachable, NotInCatalog } from "../errors.js";
import type { ListsSettings } from "../settings.js";
import { download } from "./download.js";

/** The index and the files are fetched again after this time. */
const keptMs = 6 * 3_600_000;
const mostBytes = { index: 32 * 1024 * 1024, file: 4 * 1024 * 1024 };
/** An index of 60,000 files, with the kind of each. */
const mostValues = 200_000;

export const keptIndexSchema = z
  .object({ url: z.string(), fetchedAt: z.string(), paths: z.array(z.string()) })
  .default({ url: "", fetchedAt: "", paths: [] });
export type KeptIndex = z.output<typeof keptIndexSchema>;

/** A git tree as GitHub and Gitea write it, or the bare list that GitLab answers. */
const entries = z.array(z.object({ path: z.string(), type: z.string().optional() }).or(z.string()));
const indexSchema = z.object({ tree: entries }).or(entries);

export interface CommunityCatalogParts {
  readonly settings: PluginSettings<ListsSettings>;
  readonly fetch: Fetch;
  readonly kept: StoredDocument<KeptIndex>;
  readonly files: FileCache;
}

/** Reading lists that a community keeps in a git repository: an index of paths, and a file at each. */
export class CommunityCatalog {
  readonly #parts: CommunityCatalogParts;
  #fetching: Promise<KeptIndex> | undefined;

  constructor(parts: CommunityCatalogParts) {
    this.#parts = parts;
  }

  /**
   * All paths, sorted. Returns the cached index when the catalog cannot be reached.
   * @throws {CatalogUnreachable}
   * @throws {CatalogOff}
   */
  async paths(): Promise<{ paths: readonly string[]; fetchedAt: string }> {
    const url = this.#parts.settings.current.catalogIndexUrl;
    if (url === "") throw new CatalogOff();
    const kept = this.#parts.kept.read();
    const known = kept.url === url ? kept : undefined;
    if (known && isFresh(known.fetchedAt)) return known;
    try {
      return await (this.#fetching ??= this.#fetch(url).finally(() => (this.#fetching = undefined)));
    } catch (fault) {
      if (known) return known;
      throw fault;
    }
  }

  /** The file at a path of the index. @throws {NotInCatalog} @throws {CatalogUnreachable} @throws {CatalogOff} */
  async read(path: string): Promise<Uint8Array> {
    const { paths } = await this.paths();
    const base = this.#parts.settings.current.catalogFilesUrl;
    if (base === "") throw new CatalogOff();
    if (!paths.includes(path)) throw new NotInCatalog(path);
    const url = `${base.replace(/\/+$/, "")}/${path.split("/").map(encodeSegment).join("/")}`;
    const place = await this.#parts.files.fetch(`${Math.floor(Date.now() / keptMs)} ${url}`, async () => {
      const read = async (answer: Answer) => Buffer.from(await answer.arrayBuffer());
      const bytes = await download(url, { fetch: this.#parts.fetch, maxBytes: mostBytes.file, read });
      if (!bytes) throw new NotInCatalog(path);
      return bytes;
    });
    return await readFile(place);
  }

  async #fetch(url: string): Promise<KeptIndex> {
    const read = (answer: Answer) => answer.json(indexSchema, { maxValues: mostValues });
    const index = await download(url, { fetch: this.#parts.fetch, maxBytes: mostBytes.index, read });
    if (!index) throw new CatalogUnreachable("there is nothing at its address");
    const listed = (Array.isArray(index) ? index : index.tree).map((entry) =>
      typeof entry === "string" ? entry : entry.path,
    );
    const paths = [...new Set(listed.filter(isListPath))].toSorted((one, other) => one.localeCompare(other, "en"));
    const next = { url, fetchedAt: new Date().toISOString(), paths };
    return await this.#parts.kept.update(() => next);
  }
}

/** A relative path to a list file that stays below its root. */
export function isListPath(path: string): boolean {
  const segments = path.split("/");
  return (
    path.length <= 500 &&
    /\.cbl$/i.test(path) &&
    !/[\\\u0000-\u001f]/.test(path) &&
    segments.every((segment) => segment !== "" && segment !== "." && segment !== "..")
  );
}

/** Also what `encodeURIComponent` leaves as it is, since some servers do not. */
const encodeSegment = (segment: string): string =>
  encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const isFresh = (fetchedAt: string): boolean => {
  const ageMs = Date.now() - Date.parse(fetchedAt);
  return ageMs >= 0 && ageMs < keptMs;
};
