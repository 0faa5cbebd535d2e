import { isLongboxError } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import type { RefreshStep } from "@longbox/metadata/contract";
import { folderOfSeries } from "./scan-routes.js";
import type { Scanner } from "./scanner.js";

/** Refreshing a series reads its files again, too. A series without files has nothing to read. */
export function rescanOnRefresh(scanner: Scanner, collection: CollectionContract): RefreshStep {
  return {
    async refresh(seriesId, viewer) {
      try {
        const place = await folderOfSeries(seriesId, collection, viewer);
        await scanner.scan(place.libraryId, { scope: [place.folder], everything: true });
        return { scanned: true };
      } catch (thrown) {
        if (isLongboxError(thrown) && thrown.code === "files/no-folder") return { scanned: false };
        throw thrown;
      }
    },
  };
}
