import type { StatusPart } from "@longbox/sdk";
import type { SeriesCounts } from "./counts.js";
import type { Libraries } from "../libraries/libraries.js";

/** What `GET /api/status` says of the collection. */
export function collectionStatus(counts: SeriesCounts, libraries: Libraries): StatusPart {
  return {
    async read(viewer) {
      const all = await counts.read(
        {},
        libraries.types.list().map(({ id }) => id),
        viewer,
      );
      return { counts: all, followed: all["followed"] };
    },
  };
}
