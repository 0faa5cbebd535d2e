import type { Contributions } from "@longbox/sdk";
import type { DownloadClient, DownloadSource, Indexer, Protocol, Resting, Searchable } from "../contract.js";
import { listed, type DownloadSettings } from "../settings.js";

/** A source or indexer, as the queue sees both. */
export type Place =
  | { readonly kind: "site" | "catalog"; readonly source: DownloadSource }
  | { readonly kind: "usenet" | "torrent"; readonly source: Indexer };

/** What a source said last when it could not be asked. Kept in memory. */
export interface Problem {
  readonly at: string;
  readonly message: string;
}

export interface PlacesParts {
  readonly sources: Contributions<DownloadSource>;
  readonly indexers: Contributions<Indexer>;
  readonly clients: Contributions<DownloadClient>;
  readonly settings: () => DownloadSettings;
}

const usualPriority = 25;

/** Sources, indexers and clients that plugins have added. */
export class Places {
  readonly #problems = new Map<string, Problem>();

  constructor(private readonly parts: PlacesParts) {}

  /** In the order that a person gave them, then by their own priority and id. */
  list(): Place[] {
    const order = new Map(listed(this.parts.settings().sourcePriority).map((id, at) => [id, at]));
    const placeOf = ({ source }: Place) => order.get(source.id) ?? order.size;
    const all: Place[] = [
      ...this.parts.sources.all().map((source): Place => ({ kind: source.kind, source })),
      ...this.parts.indexers.all().map((source): Place => ({ kind: source.protocol, source })),
    ];
    const priorityOf = ({ source }: Place) => source.priority ?? usualPriority;
    const byId = (one: Place, other: Place) => (one.source.id < other.source.id ? -1 : 1);
    return all.toSorted(
      (one, other) => placeOf(one) - placeOf(other) || priorityOf(one) - priorityOf(other) || byId(one, other),
    );
  }

  enabled(): Place[] {
    return this.list().filter(({ source }) => source.enabled);
  }

  find(id: string): Place | undefined {
    return this.list().find(({ source }) => source.id === id);
  }

  clients(): readonly DownloadClient[] {
    return this.parts.clients.all();
  }

  client(id: string): DownloadClient | undefined {
    return this.clients().find((client) => client.id === id);
  }

  /** The first that is switched on and not left alone, else the first that is switched on. */
  async clientFor(protocol: Protocol): Promise<DownloadClient | undefined> {
    const able = this.clients().filter((client) => client.enabled && client.protocol === protocol);
    for (const client of able) if (!(await restingOf(client))) return client;
    return able[0];
  }

  hasClientFor(protocol: Protocol): boolean {
    return protocol === "direct" || this.clients().some((client) => client.enabled && client.protocol === protocol);
  }

  problemOf(id: string): Problem | undefined {
    return this.#problems.get(id);
  }

  /** @param message - undefined: it answered */
  noteProblem(id: string, message: string | undefined): void {
    if (message === undefined) this.#problems.delete(id);
    else this.#problems.set(id, { at: new Date().toISOString(), message });
  }
}

export async function restingOf(place: Pick<Searchable, "resting">): Promise<Resting | undefined> {
  // A source that cannot say whether it rests is treated as one that does not: the search will tell.
  return place.resting?.().catch(() => undefined);
}
