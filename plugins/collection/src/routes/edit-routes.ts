import { defineRoute, idParameter, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { Assigning } from "../issues/assigning.js";
import { readMonitorRequest, type SeriesEditing } from "../series/editing.js";
import { badField } from "../errors.js";
import type { Following } from "../series/following.js";
import type { Libraries } from "../libraries/libraries.js";
import type { Picking } from "../issues/picking.js";
import type { SeriesReading } from "../series/series-reading.js";
import { whySchema } from "../answers/shapes.js";

const params = z.object({ id: idParameter });
const issueId = z
  .number()
  .int()
  .refine((id) => id !== 0, "must not be 0");
const monitor = z.enum(["all", "new", "none"]);
const pickRow = z.object({
  cv_issue_id: z.number().int(),
  wanted: z.boolean(),
  why: whySchema,
  pick: z.boolean().nullable(),
  reason: z.string().nullable(),
});

export interface EditRouteParts {
  readonly editing: SeriesEditing;
  readonly series: SeriesReading;
  readonly picking: Picking;
  readonly following: Following;
  readonly assigning: Assigning;
  readonly libraries: Libraries;
}

export function editRoutes(parts: EditRouteParts): Route[] {
  return [
    monitorRoute(parts),
    pickRoute(parts),
    followRoute(parts),
    aliasesRoute(parts),
    restrictRoute(parts),
    typeRoute(parts),
    libraryRoute(parts),
    assignRoute(parts),
    untrackRoute(parts),
    trackRoute(parts),
  ];
}

function monitorRoute({ editing }: EditRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/collection/{id}/monitor",
    access: "library.manage",
    summary: "Choose which issues of a series are wanted",
    params,
    body: z.object({
      monitor: monitor.optional(),
      monitored: z.boolean().optional(),
      from: z.number().int().optional(),
      clearPicks: z.boolean().optional(),
    }),
    response: z.object({ monitor, monitor_from: z.number().int().nullable(), monitored: z.boolean() }),
    handle: ({ params: { id }, body, viewer }) =>
      editing.monitor(id, { monitor: readMonitorRequest(body), from: body.from, clearPicks: body.clearPicks }, viewer),
  });
}

function pickRoute({ picking }: EditRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/collection/{id}/wanted",
    access: "downloads.grab",
    summary: "Pick issues, refuse them, or leave them to the monitoring",
    params,
    body: z.object({
      cvIssueIds: z.array(issueId).min(1).max(10_000),
      want: z.boolean().optional(),
      clear: z.boolean().optional(),
      reason: z.string().max(500).optional(),
    }),
    response: z.object({ changed: z.number().int(), issues: z.array(pickRow) }),
    handle: ({ params: { id }, body, viewer }) => {
      if (!body.clear && body.want === undefined) throw badField("want", "must be true or false, unless clear is true");
      return picking.pick(
        id,
        { cvIssueIds: body.cvIssueIds, pick: body.clear ? null : body.want ? 1 : 0, reason: body.reason },
        viewer,
      );
    },
  });
}

function followRoute({ series, following }: EditRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/collection/{id}/follow",
    access: "library.view",
    summary: "Follow a series or stop following it; without a body, toggle",
    params,
    body: z.object({ follow: z.boolean().optional() }).optional(),
    response: z.object({ followed: z.boolean() }),
    handle: async ({ params: { id }, body, viewer }) => {
      const row = await series.get(id, viewer);
      return { followed: await following.set(viewer.user.id, row.id, body?.follow) };
    },
  });
}

function aliasesRoute({ editing }: EditRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/collection/{id}/aliases",
    access: "library.manage",
    summary: "Set the aliases of a series",
    params,
    body: z.object({ aliases: z.array(z.string().max(300)).max(100) }),
    response: z.object({ aliases: z.array(z.string()) }),
    handle: async ({ params: { id }, body, viewer }) => ({
      aliases: await editing.setAliases(id, body.aliases, viewer),
    }),
  });
}

function restrictRoute({ editing }: EditRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/collection/{id}/restricted",
    access: "library.manage",
    summary: "Restrict a series or lift the restriction; without a body, toggle",
    params,
    body: z.object({ restricted: z.boolean().optional() }).optional(),
    response: z.object({ restricted: z.boolean() }),
    handle: async ({ params: { id }, body, viewer }) => ({
      restricted: await editing.setRestricted(id, body?.restricted, viewer),
    }),
  });
}

function typeRoute({ editing, libraries }: EditRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/collection/{id}/type",
    access: "library.manage",
    summary: "Set the library type of a series",
    params,
    body: z.object({ type: z.string() }),
    response: z.object({ type: z.string() }),
    handle: async ({ params: { id }, body, viewer }) => {
      libraries.checkType(body.type);
      await editing.setType(id, body.type, viewer);
      return { type: body.type };
    },
  });
}

function libraryRoute({ editing }: EditRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/collection/{id}/library",
    access: "library.manage",
    summary: "Put a series into a library; null is the default one",
    params,
    body: z.object({ libraryId: z.number().int().positive().nullable() }),
    response: z.object({ libraryId: z.number().int().nullable() }),
    handle: async ({ params: { id }, body, viewer }) => {
      await editing.moveToLibrary([id], body.libraryId, viewer);
      return { libraryId: body.libraryId };
    },
  });
}

function assignRoute({ assigning }: EditRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/collection/{id}/assign-file",
    access: "library.manage",
    summary: "Assign a file to an issue; a null path removes the assignment",
    params,
    body: z.object({ path: z.string().max(4096).nullable(), cvIssueId: issueId }),
    response: z.object({ ok: z.boolean(), cvIssueId: z.number().int() }),
    handle: async ({ params: { id }, body, viewer }) => {
      await assigning.assign(id, body, viewer);
      return { ok: true, cvIssueId: body.cvIssueId };
    },
  });
}

function untrackRoute({ editing }: EditRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/collection/{id}/delete",
    access: "library.manage",
    summary: "Stop tracking a series; its files stay where they are",
    params,
    response: z.object({ removed: z.boolean() }),
    handle: async ({ params: { id }, viewer }) => {
      await editing.untrack([id], viewer);
      return { removed: true };
    },
  });
}

function trackRoute({ editing }: EditRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/collection/{id}/track",
    access: "library.manage",
    summary: "Track a series again",
    params,
    response: z.object({ tracked: z.boolean() }),
    handle: async ({ params: { id }, viewer }) => {
      await editing.track(id, viewer);
      return { tracked: true };
    },
  });
}
