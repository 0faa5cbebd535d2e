import { defineRoute, idParameter, reply, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { ListFileReader } from "../cbl/reading-thread.js";
import { isListPath, type CommunityCatalog } from "../community/catalog.js";
import type { Describing } from "../describing.js";
import { BadField, NotAReadingList } from "../errors.js";
import type { Importing } from "../importing.js";
import type { ReadingLists } from "../keeping/reading-lists.js";
import { importSchema, listRowSchema, previewSchema } from "../shapes.js";
import { arcId, catalogPath, listName, patienceOf, readPreviewBody } from "./inputs.js";

const fileBytes = 4 * 1024 * 1024;
/** Bytes have no schema of their own in the API's document. */
const fileBody = z
  .instanceof(Uint8Array)
  .meta({ override: { type: "string", format: "binary" } })
  .optional();
const patience = (header: (name: string) => string | undefined) => patienceOf(header("prefer"), 8_000);

export interface ImportRouteParts {
  readonly importing: Importing;
  readonly lists: ReadingLists;
  readonly describing: Describing;
  readonly catalog: CommunityCatalog;
  readonly reader: ListFileReader;
}

export function importRoutes(parts: ImportRouteParts): Route[] {
  return [importFileRoute(parts), ...previewRoutes(parts), ...catalogRoutes(parts), arcRoute(parts)];
}

function bytesOf(body: unknown): Uint8Array {
  if (!(body instanceof Uint8Array) || body.length === 0) throw new NotAReadingList("is empty");
  return body;
}

function importFileRoute({ importing, describing, reader }: ImportRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/lists/import-cbl",
    access: "library.view",
    summary: "Import a reading-list file (CBL)",
    description:
      "The body is the file itself, at most 4 MB. `jobId` is there while a job still asks the provider about some of the unmatched ones: after 8 seconds, or what `Prefer: wait=` says.",
    query: z.object({ name: listName.optional() }),
    body: fileBody,
    bodyFormat: "bytes",
    bodyLimitBytes: fileBytes,
    response: importSchema,
    handle: async ({ query, body, viewer, signal, header }) => {
      const file = await reader.read(bytesOf(body), signal);
      const outcome = await importing.importFile(file, {
        name: query.name ?? nameOf(file.name) ?? "Reading list",
        viewer,
        patienceMs: patience(header),
      });
      describing.wake();
      return outcome;
    },
  });
}

function previewRoutes({ importing, catalog, reader }: ImportRouteParts): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/lists/cbl-preview",
      access: "library.view",
      summary: "Preview a reading-list file without saving it",
      description: "The body is the file, or JSON with a `path` of the community catalog. The provider is not asked.",
      body: fileBody,
      bodyFormat: "bytes",
      bodyLimitBytes: fileBytes,
      response: previewSchema,
      handle: async ({ body, viewer, signal, header }) => {
        const asked = readPreviewBody(bytesOf(body), header("content-type") ?? "");
        const bytes = "path" in asked ? await catalog.read(checkPath(asked.path)) : asked.file;
        return await importing.preview(await reader.read(bytes, signal), viewer);
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/lists/{id}/match",
      access: "library.view",
      summary: "Look up the unmatched books of a list again",
      params: z.object({ id: idParameter }),
      response: importSchema,
      handle: ({ params: { id }, viewer, header }) => importing.tryAgain(id, { viewer, patienceMs: patience(header) }),
    }),
  ];
}

function catalogRoutes({ importing, describing, catalog, reader }: ImportRouteParts): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/lists/cbl-catalog",
      access: "library.view",
      summary: "Paths of every list in the community catalog",
      description: "Kept for 6 hours; X-Fetched-At says since when.",
      response: z.array(z.string()),
      handle: async () => {
        const { paths, fetchedAt } = await catalog.paths();
        return reply.json(paths, { "X-Fetched-At": fetchedAt });
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/lists/import-cbl-catalog",
      access: "library.view",
      summary: "Import a list of the community catalog",
      body: z.object({ path: catalogPath, name: listName.optional() }),
      response: importSchema,
      handle: async ({ body, viewer, signal, header }) => {
        const file = await reader.read(await catalog.read(checkPath(body.path)), signal);
        const last = body.path
          .split("/")
          .at(-1)
          ?.replace(/\.cbl$/i, "");
        const outcome = await importing.importFile(file, {
          name: body.name ?? nameOf(file.name) ?? nameOf(last) ?? "Reading list",
          viewer,
          patienceMs: patience(header),
        });
        describing.wake();
        return outcome;
      },
    }),
  ];
}

function arcRoute({ importing, lists, describing }: ImportRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/lists/import-arc",
    access: "library.view",
    summary: "Create a list from a story arc of the provider, in the order of release",
    body: z.object({ arcId, name: listName.optional() }),
    response: listRowSchema.extend({ imported: z.number().int(), total: z.number().int() }),
    handle: async ({ body, viewer, signal }) => {
      const id = await importing.importArc({ arcId: body.arcId, name: body.name }, viewer, signal);
      describing.wake();
      const row = await lists.row(id, viewer);
      return { ...row, imported: row.items, total: row.items };
    },
  });
}

function checkPath(path: string): string {
  if (!isListPath(path)) throw new BadField("path", "must be a path of the catalog, such as Lamplight/Moth Patrol.cbl");
  return path;
}

/** A file's name for a list, as far as it can be one. */
function nameOf(written: string | undefined): string | undefined {
  const name = written
    ?.replaceAll(/[\u0000-\u001f\u007f]+/g, " ")
    .trim()
    .slice(0, 200)
    .trim();
  return name || undefined;
}
