import type { CatalogContract } from "@longbox/collection/contract";
import type { MetadataContract } from "./contract.js";
import type { Lookups } from "./lookups.js";

/** Metadata as other plugins see it. */
export function metadataContract(lookups: Lookups, catalog: CatalogContract): MetadataContract {
  return {
    searchVolumes: (query, options) => lookups.searchVolumes(query, options),
    getVolume: (id, options) => lookups.getVolume(id, options),
    getIssue: (id, options) => lookups.getIssue(id, options),
    listIssues: (ids, options) => lookups.listIssues(ids, options),
    searchArcs: (query, options) => lookups.searchArcs(query, options),
    getArc: (id, options) => lookups.getArc(id, options),
    listReleases: (range, options) => lookups.listReleases(range, options),
    addVolume: async (volumeId, request, options) =>
      await catalog.addVolume(await lookups.getVolume(volumeId, options ?? { urgency: "person" }), request),
  };
}
