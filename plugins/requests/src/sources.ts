import type { CatalogContract } from "@longbox/collection/contract";
import type { MetadataContract, VolumeSummary } from "@longbox/metadata/contract";
import type { Contributions, OptionalCapability, Viewer } from "@longbox/sdk";
import type { Requestable, RequestSource } from "./contract.js";
import { NoSource } from "./errors.js";
import type { RequestKind } from "./tables.js";

/** Where things of a kind are found and added. */
export type Source = Omit<RequestSource, "kind"> & { readonly kind: RequestKind };

export interface SourceParts {
  readonly metadata: OptionalCapability<MetadataContract>;
  readonly catalog: Pick<CatalogContract, "findByVolumes">;
  readonly others: Contributions<RequestSource>;
}

/** The sources of every kind: comics from the metadata provider, the rest from plugins. */
export class Sources {
  readonly #comics: Source;

  constructor(private readonly parts: SourceParts) {
    this.#comics = comicSource(parts);
  }

  /** What works of a kind are known by; undefined where its source has no scheme, or is not there now. */
  idsOf(kind: RequestKind): { readonly scheme: string; readonly isOfKind: (type: string) => boolean } | undefined {
    const source = kind === "comic" ? undefined : this.parts.others.all().find((other) => other.kind === kind);
    if (source?.idScheme === undefined) return undefined;
    const { idScheme: scheme, libraryTypes } = source;
    return { scheme, isOfKind: (type) => libraryTypes?.includes(type) ?? true };
  }

  /** @throws {LongboxError} `requests/no-source` while no plugin finds things of this kind */
  of(kind: RequestKind): Source {
    const found =
      kind === "comic"
        ? this.parts.metadata.available() && this.#comics
        : this.parts.others.all().find((source) => source.kind === kind);
    if (!found) throw new NoSource(kind);
    return found;
  }
}

function comicSource({ metadata, catalog }: SourceParts): Source {
  const rows = async (volumes: readonly VolumeSummary[], viewer: Viewer): Promise<Requestable[]> => {
    const owned = await catalog.findByVolumes(
      volumes.map(({ id }) => id),
      viewer,
    );
    return volumes.map(({ id, name, publisher, startYear }) => ({
      externalId: String(id),
      title: name,
      publisher,
      year: startYear,
      image: `/api/cv/volume/${id}/cover`,
      seriesId: owned.find(({ cvId }) => cvId === id)?.seriesId,
    }));
  };
  return {
    kind: "comic",
    search: async (query, viewer) =>
      rows(await metadata.use.searchVolumes(query, { urgency: "person", viewer }), viewer),
    async find(externalId, viewer) {
      const volume = await metadata.use.getVolume(Number(externalId), { urgency: "person", viewer });
      const [row] = await rows(
        [{ ...volume, id: volume.cvId, name: volume.title, startYear: volume.year, publisher: volume.publisher }],
        viewer,
      );
      return row;
    },
    async add(externalId, { viewer, download }) {
      const { seriesId, queued } = await metadata.use.addVolume(Number(externalId), {
        viewer,
        why: "request",
        download,
      });
      return { seriesId, queued };
    },
  };
}
