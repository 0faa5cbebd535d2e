import { defineRoute, idParameter, type Route, type Viewer } from "@longbox/sdk";
import { z } from "zod";
import { listFolders } from "../libraries/folders.js";
import type { Library } from "../libraries/library-contract.js";
import type { Libraries } from "../libraries/libraries.js";
import { librarySchema, libraryTypeSchema } from "../answers/shapes.js";

const name = z.string().trim().min(1).max(200);
const folder = z.string().min(1).max(4096);
const params = z.object({ id: idParameter });
const libraries = z.array(librarySchema);
const more = {
  folderPattern: z.string().max(500).optional(),
  restricted: z.boolean().optional(),
  sortOrder: z.number().int().min(-1_000_000).max(1_000_000).optional(),
  tagPlacement: z.enum(["embed", "sidecar"]).optional(),
};
export const libraryListSchema = z.object({
  libraries,
  types: z.array(libraryTypeSchema),
});
const createBody = z.object({ name, type: z.string(), rootFolder: folder, ...more });
const changeBody = z.object({
  name: name.optional(),
  type: z.string().optional(),
  rootFolder: folder.optional(),
  ...more,
});
export const folderSchema = z.object({
  path: z.string(),
  parent: z.string().optional(),
  folders: z.array(z.object({ name: z.string(), path: z.string() })),
});

export function libraryRoutes(kept: Libraries): Route[] {
  return [listRoute(kept), foldersRoute(kept), createRoute(kept), changeRoute(kept), removeRoute(kept)];
}

/** The libraries as a viewer sees them: folders only where the viewer may choose them. */
async function listFor(
  kept: Libraries,
  viewer: Viewer,
): Promise<Array<Omit<Library, "rootFolder"> & Partial<Library>>> {
  const all = await kept.list(viewer);
  return viewer.may("library.manage") ? all : all.map(({ rootFolder: _, ...shown }) => shown);
}

function listRoute(kept: Libraries): Route {
  return defineRoute({
    method: "GET",
    path: "/api/libraries",
    summary: "List the libraries and the types a library may have",
    response: libraryListSchema,
    handle: async ({ viewer }) => ({ libraries: await listFor(kept, viewer), types: kept.types.list() }),
  });
}

function foldersRoute(kept: Libraries): Route {
  return defineRoute({
    method: "GET",
    path: "/api/libraries/folders",
    access: "library.manage",
    summary: "List the sub-folders of a folder of the server",
    query: z.object({ path: z.string().max(4096).optional() }),
    response: folderSchema,
    handle: ({ query }) => listFolders(query.path, kept.places),
  });
}

function createRoute(kept: Libraries): Route {
  return defineRoute({
    method: "POST",
    path: "/api/libraries",
    access: "library.manage",
    summary: "Create a library from a folder of the server",
    body: createBody,
    response: z.object({ id: z.number().int(), libraries }),
    handle: async ({ body, viewer }) => ({
      id: await kept.create(body, viewer),
      libraries: await listFor(kept, viewer),
    }),
  });
}

function changeRoute(kept: Libraries): Route {
  return defineRoute({
    method: "POST",
    path: "/api/libraries/{id}",
    access: "library.manage",
    summary: "Change a library",
    params,
    body: changeBody,
    response: z.object({ libraries }),
    handle: async ({ params: { id }, body, viewer }) => {
      await kept.change(id, body, viewer);
      return { libraries: await listFor(kept, viewer) };
    },
  });
}

function removeRoute(kept: Libraries): Route {
  return defineRoute({
    method: "DELETE",
    path: "/api/libraries/{id}",
    access: "library.manage",
    summary: "Delete a library; its files and series are kept",
    params,
    response: z.object({ removed: z.boolean(), libraries }),
    handle: async ({ params: { id }, viewer }) => {
      await kept.remove(id, viewer);
      return { removed: true, libraries: await listFor(kept, viewer) };
    },
  });
}
