import { definePlugin } from "@longbox/sdk";
import {
  MetadataSources,
  type MetadataSource,
  type ReleasedIssue,
  type SourceVolume,
} from "@longbox/metadata/contract";

export interface VolumeSpec {
  readonly id: number;
  readonly name: string;
  readonly year: number;
  /** Issue ids by number; every issue came out in the month of its place. */
  readonly issues: Readonly<Record<string, number>>;
}

/** A metadata source that knows what a test tells it, and can be made to fail or to wait. */
export class Source {
  readonly volumes = new Map<number, VolumeSpec>();
  readonly arcs = new Map<number, { name: string; issues: readonly number[] }>();
  readonly asked: string[] = [];
  /** What every question waits for first. */
  gate: Promise<unknown> = Promise.resolve();
  broken = false;

  add(...volumes: VolumeSpec[]): this {
    for (const volume of volumes) this.volumes.set(volume.id, volume);
    return this;
  }

  get plugin() {
    return {
      manifest: {
        id: "shelf-source",
        title: "Source",
        description: "",
        sdk: "^1.0.0",
        contributes: { metadataSources: "^1.0.0" },
      },
      plugin: definePlugin({ activate: (_, context) => void context.contribute(MetadataSources, this.#source()) }),
    };
  }

  async #ask(question: string, signal: AbortSignal | undefined): Promise<void> {
    this.asked.push(question);
    signal?.throwIfAborted();
    await Promise.race([
      this.gate,
      new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true })),
    ]);
    if (this.broken)
      throw new (await import("@longbox/sdk")).UpstreamFailure("shelf-source/down", "The source is down.");
  }

  #released(volume: VolumeSpec): ReleasedIssue[] {
    return Object.entries(volume.issues).map(([number, id], index) => ({
      cvIssueId: id,
      volumeId: volume.id,
      volumeName: volume.name,
      number,
      title: `${volume.name} ${number}`,
      coverDate: `${volume.year}-${String((index % 12) + 1).padStart(2, "0")}-01`,
      storeDate: undefined,
      imageUrl: undefined,
    }));
  }

  #source(): MetadataSource {
    return {
      id: "shelf-source",
      label: "Source",
      libraryTypes: ["comic", "manga"],
      findIssue: async () => undefined,
      searchArcs: async () => [],
      listReleases: async () => [],
      test: async () => ({ ok: true, registered: true, message: "Here." }),
      countKept: async () => 0,
      searchVolumes: async (query, { signal }) => {
        await this.#ask(`search ${query}`, signal);
        const words = query.toLowerCase().split(/\s+/);
        return [...this.volumes.values()]
          .filter((volume) => words.some((word) => volume.name.toLowerCase().includes(word)))
          .map(summaryOf);
      },
      findVolume: async (id, { signal }) => {
        await this.#ask(`volume ${id}`, signal);
        return this.#volume(id);
      },
      listIssues: async (ids, { signal }) => {
        await this.#ask(`issues ${ids.length}`, signal);
        return [...this.volumes.values()]
          .flatMap((volume) => this.#released(volume))
          .filter((issue) => ids.includes(issue.cvIssueId));
      },
      findArc: async (id, { signal }) => {
        await this.#ask(`arc ${id}`, signal);
        return this.#arc(id);
      },
    };
  }

  #volume(id: number): SourceVolume | undefined {
    const volume = this.volumes.get(id);
    return (
      volume && {
        ...summaryOf(volume),
        cvId: id,
        title: volume.name,
        year: volume.year,
        description: undefined,
        url: undefined,
        status: "ended",
        issues: this.#released(volume),
        issueImages: [],
      }
    );
  }

  #arc(id: number): Awaited<ReturnType<MetadataSource["findArc"]>> {
    const arc = this.arcs.get(id);
    return (
      arc && {
        id,
        name: arc.name,
        publisher: undefined,
        deck: undefined,
        imageUrl: undefined,
        description: undefined,
        issues: arc.issues.map((cvIssueId) => ({ cvIssueId, name: undefined })),
      }
    );
  }
}

function summaryOf({ id, name, year, issues }: VolumeSpec) {
  return {
    id,
    name,
    publisher: undefined,
    startYear: year,
    issueCount: Object.keys(issues).length,
    deck: undefined,
    aliases: [],
    imageUrl: undefined,
  };
}
