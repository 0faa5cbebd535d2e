import type { CollectionContract } from "@longbox/collection/contract";
import { defineRoute, idParameter, pageParameters, type Route } from "@longbox/sdk";
import { z } from "zod";
import { BlockedNotFound } from "../errors.js";
import type { BlockedRow, BlocklistRecords } from "../keeping/blocklist-records.js";
import type { HistoryRecords } from "../keeping/history-records.js";
import { namesFor } from "../keeping/item-names.js";
import { blockedSchema, clearedSchema, historySchema } from "../shapes.js";
import { historyRow } from "./rows.js";

const access = "downloads.grab";
const query = z.object(pageParameters({ default: 200, max: 500 }));

export interface HistoryRouteParts {
  readonly library: Pick<CollectionContract, "findIssues">;
  readonly history: HistoryRecords;
  readonly blocklist: BlocklistRecords;
  readonly changed: () => void;
}

export function historyRoutes(parts: HistoryRouteParts): Route[] {
  return [pastRoute("imported", parts), pastRoute("failed", parts), blocklistRoute(parts), ...allowingRoutes(parts)];
}

function pastRoute(outcome: "imported" | "failed", { library, history }: HistoryRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: outcome === "imported" ? "/api/history" : "/api/history/failed",
    access,
    summary: outcome === "imported" ? "What was imported, newest first" : "What failed, newest first",
    query,
    response: historySchema,
    handle: async ({ query: page, viewer }) => {
      const { rows, total } = await history.list(outcome, page, viewer.seesRestricted);
      const shown = { seesPaths: viewer.may("library.manage"), nameOf: await namesFor(library, rows, viewer) };
      return { rows: rows.map((row) => historyRow(row, shown)), total };
    },
  });
}

function blocklistRoute({ blocklist }: HistoryRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/blacklist",
    access,
    summary: "Releases that are not grabbed again by themselves",
    query,
    response: z.object({ rows: z.array(blockedSchema), total: z.number().int() }),
    handle: async ({ query: page, viewer }) => {
      const { rows, total } = await blocklist.list(page, viewer.seesRestricted);
      return { rows: rows.map(blockedRow), total };
    },
  });
}

function allowingRoutes({ blocklist, changed }: HistoryRouteParts): Route[] {
  return [
    defineRoute({
      method: "DELETE",
      path: "/api/blacklist/{id}",
      access,
      summary: "Let a release be grabbed again",
      params: z.object({ id: idParameter }),
      response: z.object({ removed: z.boolean() }),
      handle: async ({ params: { id }, viewer }) => {
        if (!(await blocklist.remove(id, viewer.seesRestricted))) throw new BlockedNotFound(id);
        changed();
        return { removed: true };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/blacklist/clear",
      access,
      summary: "Let every release be grabbed again",
      response: clearedSchema,
      handle: async ({ viewer }) => {
        const cleared = await blocklist.clear(viewer.seesRestricted);
        changed();
        return { cleared };
      },
    }),
  ];
}

function blockedRow(row: BlockedRow): z.input<typeof blockedSchema> {
  return {
    id: row.id,
    source: row.source,
    reason: row.reason,
    created_at: new Date(row.created_at).toISOString(),
    title: row.title,
    issue_id: row.issue_id,
    issue_number: row.number,
    series_id: row.series_id,
    series_title: row.series_title,
  };
}
