import { isAbsolute, resolve } from "node:path";
import { z } from "zod";
import { BadInput, defineRoute, idParameter, NotFound, type Route, type Viewer } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import type { Formats } from "../formats/formats.js";
import { runningStateSchema, stateFor } from "../state-answers.js";
import { previewFolder, previewSchema } from "./preview.js";
import type { Scanner } from "./scanner.js";

const startedSchema = z.object({ started: z.boolean(), state: runningStateSchema });
const params = z.object({ id: idParameter });

export interface ScanRouteParts {
  readonly scanner: Scanner;
  readonly collection: CollectionContract;
  readonly formats: Formats;
  readonly importFolder: () => string;
}

/** Routes that look at what is on disk. */
export function scanRoutes(parts: ScanRouteParts): Route[] {
  return [...stateRoutes(parts), libraryScanRoute(parts), seriesScanRoute(parts)];
}

function stateRoutes({ scanner, collection, formats, importFolder }: ScanRouteParts): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/scan-folder",
      access: "library.view",
      summary: "How far the running scan is; with a path, what a folder holds and how each name is read",
      query: z.object({ path: z.string().min(1).max(4096).optional() }),
      response: z.union([previewSchema, runningStateSchema]),
      handle: async ({ query, viewer }) =>
        query.path === undefined
          ? stateFor(await scanner.state(), viewer)
          : previewFolder(await insideRoots(query.path, { collection, importFolder }, viewer), formats, viewer),
    }),
    defineRoute({
      method: "POST",
      path: "/api/scan-folder/cancel",
      access: "library.manage",
      summary: "Stop the running scan; what was read stays",
      response: runningStateSchema,
      async handle({ viewer }) {
        await scanner.cancel();
        return stateFor(await scanner.state(), viewer);
      },
    }),
  ];
}

function libraryScanRoute({ scanner, collection }: ScanRouteParts): Route {
  const started = async (viewer: Viewer) => ({ started: true, state: stateFor(await scanner.state(), viewer) });
  return defineRoute({
    method: "POST",
    path: "/api/libraries/{id}/scan",
    access: "library.manage",
    summary: "Scan a library",
    description:
      "Files that look unchanged are not opened, unless `everything` is asked for. `acceptEmpty` says that the library has really become empty.",
    params,
    body: z.object({ everything: z.boolean().optional(), acceptEmpty: z.boolean().optional() }).optional(),
    response: startedSchema,
    async handle({ params: { id }, body, viewer }) {
      const libraries = await collection.listLibraries(viewer);
      if (!libraries.some((library) => library.id === id))
        throw new NotFound("files/library-not-found", `There is no library ${id}.`);
      await scanner.scan(id, { everything: body?.everything ?? false, acceptsEmpty: body?.acceptEmpty ?? false });
      return started(viewer);
    },
  });
}

function seriesScanRoute({ scanner, collection }: ScanRouteParts): Route {
  const started = async (viewer: Viewer) => ({ started: true, state: stateFor(await scanner.state(), viewer) });
  return defineRoute({
    method: "POST",
    path: "/api/collection/{id}/scan",
    access: "library.manage",
    summary: "Read the files of a series again",
    params,
    response: startedSchema,
    async handle({ params: { id }, viewer }) {
      const { libraryId, folder } = await folderOfSeries(id, collection, viewer);
      await scanner.scan(libraryId, { scope: [folder], everything: true });
      return started(viewer);
    },
  });
}

/** Where the files of a series lie. @throws {NotFound} @throws {BadInput} when it has no folder inside a library */
export async function folderOfSeries(
  seriesId: number,
  collection: CollectionContract,
  viewer: Viewer,
): Promise<{ libraryId: number; folder: string; title: string }> {
  const series = await collection.findSeries(seriesId, viewer);
  if (!series) throw new NotFound("files/series-not-found", `There is no series ${seriesId}.`);
  const libraries = await collection.listLibraries(viewer);
  const library = libraries.find(({ rootFolder }) => series.path !== undefined && isInside(series.path, rootFolder));
  if (!library || series.path === undefined)
    throw new BadInput("files/no-folder", `The series ${series.title} has no folder in a library yet.`, {
      id: "has no folder in a library",
    });
  return { libraryId: library.id, folder: series.path, title: series.title };
}

export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** The path, inside a library that the viewer may see. The import folder is only for users who import. */
async function insideRoots(
  path: string,
  { collection, importFolder }: Pick<ScanRouteParts, "collection" | "importFolder">,
  viewer: Viewer,
): Promise<{ path: string; rootFolder: string }> {
  const wanted = isAbsolute(path) && !path.includes("\0") ? resolve(path) : undefined;
  const roots = (await collection.listLibraries(viewer)).map(({ rootFolder }) => rootFolder);
  const folder = importFolder();
  if (folder !== "" && viewer.may("library.manage")) roots.push(resolve(folder));
  const rootFolder = roots.find((root) => wanted !== undefined && isInside(wanted, root));
  if (wanted === undefined || rootFolder === undefined)
    throw new BadInput("files/outside-libraries", "Only folders of libraries can be looked into.", {
      path: "must be an absolute path inside a library or the import folder",
    });
  return { path: wanted, rootFolder };
}
