import { LongboxError, NotFound, type Contributions, type PluginSettings } from "@longbox/sdk";
import type { LibraryType } from "@longbox/collection/contract";
import type {
  Arc,
  ArcSummary,
  AskOptions,
  MetadataSource,
  ReleasedIssue,
  SearchOptions,
  SourceIssue,
  SourceVolume,
  VolumeSummary,
} from "./contract.js";
import type { Images } from "./images.js";
import type { MetadataSettings } from "./settings.js";

/** Asks the chosen source, and remembers where the images are that its answers name. */
export class Lookups {
  readonly #settings: PluginSettings<MetadataSettings>;
  readonly #own: readonly MetadataSource[];
  readonly #brought: Contributions<MetadataSource>;
  readonly #images: Images;

  constructor(parts: {
    readonly settings: PluginSettings<MetadataSettings>;
    readonly own: readonly MetadataSource[];
    /** Those of other plugins. */
    readonly brought: Contributions<MetadataSource>;
    readonly images: Images;
  }) {
    this.#settings = parts.settings;
    this.#own = parts.own;
    this.#brought = parts.brought;
    this.#images = parts.images;
  }

  /** @throws {LongboxError} `metadata/no-such-source` */
  source(): MetadataSource {
    const wanted = this.#settings.current.source;
    const found = [...this.#own, ...this.#brought.all()].find((source) => source.id === wanted);
    if (!found)
      throw new LongboxError(
        "unavailable",
        "metadata/no-such-source",
        `The metadata source "${wanted}" is not available.`,
        { source: wanted },
      );
    return found;
  }

  /**
   * Whether the source knows works of one of these types of libraries.
   * @throws {LongboxError} `metadata/no-such-source`
   */
  knows(libraryTypes: readonly LibraryType[]): boolean {
    return libraryTypes.some((type) => this.source().libraryTypes.includes(type));
  }

  async searchVolumes(query: string, { libraryTypes, ...options }: SearchOptions): Promise<readonly VolumeSummary[]> {
    if (libraryTypes !== undefined && !this.knows(libraryTypes)) return [];
    const found = await this.source().searchVolumes(query, options);
    await this.#images.remember(
      "volume",
      found.map((volume) => ({ id: volume.id, url: volume.imageUrl })),
      options.viewer,
    );
    return found;
  }

  async getVolume(id: number, options: AskOptions): Promise<SourceVolume> {
    const volume = await this.source().findVolume(id, options);
    if (!volume) throw new NotFound("metadata/volume-not-found", `The provider has no volume ${id}.`, { id });
    await this.#images.remember("volume", [{ id, url: volume.imageUrl }], options.viewer);
    await this.#images.remember(
      "issue",
      volume.issueImages.map((issue) => ({ id: issue.cvIssueId, url: issue.imageUrl })),
    );
    return volume;
  }

  async getIssue(id: number, options: AskOptions): Promise<SourceIssue> {
    const issue = await this.source().findIssue(id, options);
    if (!issue) throw new NotFound("metadata/issue-not-found", `The provider has no issue ${id}.`, { id });
    await this.#images.remember("issue", [{ id, url: issue.imageUrl }]);
    return issue;
  }

  async listIssues(ids: readonly number[], options: AskOptions): Promise<readonly ReleasedIssue[]> {
    const source = this.source();
    const found = source.listIssues ? await source.listIssues(ids, options) : await oneByOne(source, ids, options);
    await this.#images.remember(
      "issue",
      found.map((issue) => ({ id: issue.cvIssueId, url: issue.imageUrl })),
    );
    return found;
  }

  async listVolumes(ids: readonly number[], options: AskOptions): Promise<readonly VolumeSummary[]> {
    const found = (await this.source().listVolumes?.(ids, options)) ?? [];
    await this.#images.remember(
      "volume",
      found.map((volume) => ({ id: volume.id, url: volume.imageUrl })),
    );
    return found;
  }

  async searchArcs(query: string, options: AskOptions): Promise<readonly ArcSummary[]> {
    const found = await this.source().searchArcs(query, options);
    await this.#images.remember(
      "arc",
      found.map((arc) => ({ id: arc.id, url: arc.imageUrl })),
      options.viewer,
    );
    return found;
  }

  async getArc(id: number, options: AskOptions): Promise<Arc> {
    const arc = await this.source().findArc(id, options);
    if (!arc) throw new NotFound("metadata/arc-not-found", `The provider has no story arc ${id}.`, { id });
    await this.#images.remember("arc", [{ id, url: arc.imageUrl }], options.viewer);
    return arc;
  }

  async listReleases(range: { from: string; to: string }, options: AskOptions): Promise<readonly ReleasedIssue[]> {
    const found = await this.source().listReleases(range, options);
    await this.#images.remember(
      "issue",
      found.map((issue) => ({ id: issue.cvIssueId, url: issue.imageUrl })),
    );
    return found;
  }
}

async function oneByOne(source: MetadataSource, ids: readonly number[], options: AskOptions): Promise<ReleasedIssue[]> {
  const found: ReleasedIssue[] = [];
  for (const id of ids) {
    const issue = await source.findIssue(id, options);
    if (issue)
      found.push({
        cvIssueId: id,
        volumeId: issue.volumeId,
        volumeName: issue.volumeName,
        number: issue.number,
        title: issue.title,
        coverDate: issue.coverDate,
        storeDate: issue.storeDate,
        imageUrl: issue.imageUrl,
      });
  }
  return found;
}
