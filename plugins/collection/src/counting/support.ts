import { systemViewer } from "@longbox/sdk";
import type { SupportPart } from "@longbox/operations/contract";
import type { SeriesCounts } from "./counts.js";
import type { Libraries } from "../libraries/libraries.js";

/** The libraries with their counts, for the support package; without titles. */
export function librariesPart(libraries: Libraries, counts: SeriesCounts): SupportPart {
  return {
    name: "libraries",
    full: true,
    async read() {
      const types = libraries.types.list().map(({ id }) => id);
      const [all, series] = await Promise.all([libraries.list(systemViewer), counts.read({}, types, systemViewer)]);
      return { libraries: all, series };
    },
  };
}
