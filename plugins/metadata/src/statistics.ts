import type { CatalogContract } from "@longbox/collection/contract";
import type { StatsPart } from "@longbox/stats/contract";
import type { Lookups } from "./lookups.js";

/** What metadata adds to the statistics. The key is the provider's name, whichever source is in use. */
export function providerStatistics(lookups: Lookups, catalog: CatalogContract): StatsPart {
  return {
    key: "comicvine",
    async read() {
      const source = lookups.source();
      return {
        source: source.id,
        cached: await source.countKept(),
        ...(await catalog.countMatched(source.libraryTypes)),
      };
    },
  };
}
