import type { CollectionContract } from "@longbox/collection/contract";
import { defineRoute, idParameter, NotFound, type Route, type Viewer } from "@longbox/sdk";
import { z } from "zod";
import { common, root } from "./queries.js";

/** Options of Komga's scanner: apps expect them, and do not use them. */
const switches = [
  "analyzeDimensions",
  "convertToCbz",
  "emptyTrashAfterScan",
  "hashFiles",
  "hashKoreader",
  "hashPages",
  "importBarcodeIsbn",
  "importComicInfoBook",
  "importComicInfoCollection",
  "importComicInfoReadList",
  "importComicInfoSeries",
  "importComicInfoSeriesAppendVolume",
  "importEpubBook",
  "importEpubSeries",
  "importLocalArtwork",
  "importMylarSeries",
  "repairExtensions",
  "scanCbx",
  "scanEpub",
  "scanForceModifiedTime",
  "scanOnStartup",
  "scanPdf",
  "unavailable",
] as const;

const librarySchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Empty: where files are is not told to apps. */
  root: z.string(),
  scanInterval: z.literal("DISABLED"),
  scanDirectoryExclusions: z.array(z.string()),
  seriesCover: z.literal("FIRST"),
  ...(Object.fromEntries(switches.map((name) => [name, z.boolean()])) as Record<
    (typeof switches)[number],
    z.ZodBoolean
  >),
});

const off = Object.fromEntries(switches.map((name) => [name, false])) as Record<(typeof switches)[number], boolean>;

export function libraryRoutes(library: CollectionContract): Route[] {
  return [
    defineRoute({
      ...common,
      method: "GET",
      path: `${root}/libraries`,
      summary: "The libraries whose works have pages",
      response: z.array(librarySchema),
      handle: ({ viewer }) => listLibraries(library, viewer),
    }),
    defineRoute({
      ...common,
      method: "GET",
      path: `${root}/libraries/{libraryId}`,
      summary: "One library",
      params: z.object({ libraryId: idParameter }),
      response: librarySchema,
      async handle({ params, viewer }) {
        const found = (await listLibraries(library, viewer)).find(({ id }) => id === String(params.libraryId));
        if (!found) throw new NotFound("komga-api/no-such-library", `There is no library ${params.libraryId}.`);
        return found;
      },
    }),
  ];
}

async function listLibraries(
  library: CollectionContract,
  viewer: Viewer,
): Promise<Array<z.output<typeof librarySchema>>> {
  const [libraries, types] = await Promise.all([library.listLibraries(viewer), library.listLibraryTypes()]);
  const paged = new Set(types.filter(({ words }) => words.length === "pages").map(({ id }) => id));
  return libraries
    .filter(({ type }) => paged.has(type))
    .map(({ id, name }) => ({
      ...off,
      id: String(id),
      name,
      root: "",
      scanInterval: "DISABLED",
      scanDirectoryExclusions: [],
      seriesCover: "FIRST",
    }));
}
