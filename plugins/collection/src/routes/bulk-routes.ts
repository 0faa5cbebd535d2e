import { defineRoute, flagParameter, LongboxError, reply, type Route, type Viewer } from "@longbox/sdk";
import { z } from "zod";
import type { SeriesEditing } from "../series/editing.js";
import { badField } from "../errors.js";
import type { Following } from "../series/following.js";
import type { Getting } from "../issues/getting.js";
import { wantedRowSchema } from "../answers/shapes.js";
import type { Wanted } from "../issues/wanted.js";

const bulkBody = z.object({
  ids: z.array(z.number().int().positive()).min(1).max(10_000),
  action: z.enum(["follow", "unfollow", "monitor", "move-library", "download-missing", "remove"]),
  monitor: z.enum(["all", "new", "none"]).optional(),
  libraryId: z.number().int().positive().nullable().optional(),
});
type Bulk = z.output<typeof bulkBody>;
const whole = z
  .string()
  .regex(/^\d{1,9}$/, "must be a whole number")
  .transform(Number);

export interface BulkRouteParts {
  readonly editing: SeriesEditing;
  readonly following: Following;
  readonly getting: Getting;
  readonly wanted: Wanted;
}

export function bulkRoutes(parts: BulkRouteParts): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/collection/bulk",
      access: "library.manage",
      summary: "Change several series",
      description: "With an unknown id, nothing is changed. download-missing also needs downloads.grab.",
      body: bulkBody,
      response: z.object({ done: z.number().int(), queued: z.number().int().optional() }),
      handle: ({ body, viewer }) => doToAll(parts, body, viewer),
    }),
    defineRoute({
      method: "GET",
      path: "/api/wanted",
      summary: "List wanted issues, or all gaps",
      query: z.object({
        scope: z.enum(["wanted", "gaps"]).default("wanted"),
        sort: z.enum(["series", "newest", "oldest", "most", "fewest"]).default("series"),
        followed: flagParameter.optional(),
        hideUnreleased: flagParameter.optional(),
        q: z.string().max(500).optional(),
        limit: whole.pipe(z.number().min(1).max(1000)).default(200),
        offset: whole.default(0),
      }),
      response: z.array(wantedRowSchema),
      handle: async ({ query, viewer }) => {
        const { rows, total } = await parts.wanted.list(query, viewer);
        return reply.json(rows, { "X-Total-Count": String(total) });
      },
    }),
  ];
}

async function doToAll(
  { editing, following, getting }: BulkRouteParts,
  body: Bulk,
  viewer: Viewer,
): Promise<{ done: number; queued?: number }> {
  const ids = await editing.checkAll(body.ids, viewer);
  const done = ids.length;
  switch (body.action) {
    case "follow":
      await following.setAll(viewer.user.id, ids, true);
      return { done };
    case "unfollow":
      await following.setAll(viewer.user.id, ids, false);
      return { done };
    case "monitor":
      if (body.monitor === undefined) throw badField("monitor", "must be all, new or none");
      await editing.monitorAll(ids, body.monitor, viewer);
      return { done };
    case "move-library":
      if (body.libraryId === undefined) throw badField("libraryId", "must be a library's id, or null");
      await editing.moveToLibrary(ids, body.libraryId, viewer);
      return { done };
    case "remove":
      await editing.untrack(ids, viewer);
      return { done };
    case "download-missing":
      if (!viewer.may("downloads.grab"))
        throw new LongboxError("forbidden", "collection/may-not-download", "This needs the permission downloads.grab.");
      return { done, queued: await getting.queueMissing(ids, viewer) };
  }
}
