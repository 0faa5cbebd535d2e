import type { CatalogContract } from "@longbox/collection/contract";
import type { MetadataContract } from "./contract.js";
import type { Images } from "./images.js";
import type { Lookups } from "./lookups.js";

/** Metadata as other plugins see it. */
export function metadataContract(
  lookups: Lookups,
  { catalog, images }: { readonly catalog: CatalogContract; readonly images: Images },
): MetadataContract {
  return {
    searchVolumes: (query, options) => lookups.searchVolumes(query, options),
    getVolume: (id, options) => lookups.getVolume(id, options),
    getIssue: (id, options) => lookups.getIssue(id, options),
    listIssues: (ids, options) => lookups.listIssues(ids, options),
    listVolumes: (ids, options) => lookups.listVolumes(ids, options),
    searchArcs: (query, options) => lookups.searchArcs(query, options),
    getArc: (id, options) => lookups.getArc(id, options),
    listReleases: (range, options) => lookups.listReleases(range, options),
    readIssueCover: (cvIssueId) => images.read("issue", cvIssueId),
    addVolume: async (volumeId, request, options) =>
      await catalog.addVolume(
        await lookups.getVolume(volumeId, { urgency: "person", ...options, viewer: request.viewer }),
        {
          ...request,
          libraryTypes: lookups.source().libraryTypes,
        },
      ),
  };
}
