import {
  defineRoute,
  idParameter,
  indexParameter,
  pageParameters,
  reply,
  signedIdParameter,
  type Route,
} from "@longbox/sdk";
import { z } from "zod";
import { BadField } from "../errors.js";
import type { Describing } from "../describing.js";
import { exportList, type ExportingParts } from "../exporting.js";
import type { Editing } from "../keeping/editing.js";
import type { ReadingLists } from "../keeping/reading-lists.js";
import { listDocumentSchema, listRowSchema, wantSchema } from "../shapes.js";
import type { Wanting } from "../wanting/wanting.js";
import { issueId, issueIds, listName, patienceOf } from "./inputs.js";

const params = z.object({ id: idParameter });

export interface ListRouteParts {
  readonly lists: ReadingLists;
  readonly editing: Editing;
  readonly describing: Describing;
  readonly wanting: Wanting;
  readonly exporting: ExportingParts;
}

export function listRoutes(parts: ListRouteParts): Route[] {
  return [...keepingRoutes(parts), ...itemRoutes(parts), ...furtherRoutes(parts)];
}

function keepingRoutes(parts: ListRouteParts): Route[] {
  return [...overviewRoutes(parts), ...singleListRoutes(parts), ...changingRoutes(parts)];
}

function overviewRoutes({ lists, editing, describing }: ListRouteParts): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/lists",
      access: "library.view",
      summary: "List your reading lists, then public ones of others",
      description: "X-Total-Count says how many there are.",
      query: z.object(pageParameters({ default: 200, max: 500 })),
      response: z.array(listRowSchema),
      handle: async ({ query, viewer }) => {
        const { rows, total } = await lists.list(viewer, query);
        return reply.json(rows, { "X-Total-Count": String(total) });
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/lists",
      access: "library.view",
      summary: "Create a reading list",
      body: z.object({ name: listName, cvIssueIds: issueIds.optional() }),
      response: listRowSchema,
      handle: async ({ body, viewer }) => {
        const id = await editing.createOf(body.name, body.cvIssueIds ?? [], viewer);
        describing.wake();
        return await lists.row(id, viewer);
      },
    }),
  ];
}

function singleListRoutes({ lists, editing, describing }: ListRouteParts): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/lists/{id}",
      access: "library.view",
      summary: "Read a list with its items",
      params,
      response: listDocumentSchema,
      handle: async ({ params: { id }, viewer }) => {
        const list = await lists.read(id, viewer);
        if (list.items.some((item) => item.series === null)) describing.wake();
        return list;
      },
    }),
    defineRoute({
      method: "PATCH",
      path: "/api/lists/{id}",
      access: "library.view",
      summary: "Rename a list, or put its issues in another order",
      description: "`order` names every cvIssueId of the list, as often as it stands there.",
      params,
      body: z.object({ name: listName.optional(), order: z.array(z.number().int()).max(20_000).optional() }),
      response: listRowSchema,
      handle: async ({ params: { id }, body, viewer }) => {
        if (body.order) await editing.reorder(id, body.order, viewer);
        if (body.name !== undefined) await editing.rename(id, body.name, viewer);
        if (body.order === undefined && body.name === undefined) throw new BadField("name", "is needed, or an order");
        return await lists.row(id, viewer);
      },
    }),
  ];
}

function changingRoutes({ editing }: ListRouteParts): Route[] {
  return [
    defineRoute({
      method: "DELETE",
      path: "/api/lists/{id}",
      access: "library.view",
      summary: "Delete a list",
      params,
      response: z.object({ removed: z.boolean() }),
      handle: async ({ params: { id }, viewer }) => {
        await editing.remove(id, viewer);
        return { removed: true };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/lists/{id}/public",
      access: "lists.share",
      summary: "Make a list of yours public, or private again",
      params,
      body: z.object({ public: z.boolean() }),
      response: z.object({ public: z.boolean() }),
      handle: async ({ params: { id }, body, viewer }) => {
        await editing.publish(id, body.public, viewer);
        return { public: body.public };
      },
    }),
  ];
}

function itemRoutes({ editing, describing }: ListRouteParts): Route[] {
  const added = z.object({ cvIssueIds: issueIds.optional(), cvIssueId: issueId.optional() });
  return [
    defineRoute({
      method: "POST",
      path: "/api/lists/{id}/items",
      access: "library.view",
      summary: "Append issues to a list, except those that it already contains",
      params,
      body: added,
      response: z.object({ added: z.number().int() }),
      handle: async ({ params: { id }, body, viewer }) => {
        const ids = body.cvIssueIds ?? (body.cvIssueId === undefined ? undefined : [body.cvIssueId]);
        if (!ids) throw new BadField("cvIssueIds", "is needed");
        const count = await editing.add(id, ids, viewer);
        describing.wake();
        return { added: count };
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/lists/{id}/items/{cvIssueId}",
      access: "library.view",
      summary: "Remove an item from a list",
      description: "With `position`, counted from 1, only the item at that position is removed.",
      params: params.extend({ cvIssueId: signedIdParameter }),
      query: z.object({ position: indexParameter.optional() }),
      response: z.object({ removed: z.number().int() }),
      handle: async ({ params: { id, cvIssueId }, query, viewer }) => ({
        removed: await editing.take(id, { cvIssueId, position: query.position }, viewer),
      }),
    }),
  ];
}

function furtherRoutes({ editing, wanting, exporting }: ListRouteParts): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/lists/{id}/want",
      access: "library.manage",
      summary: "Want every item of a list that is not owned; series that are not in the library are added, unmonitored",
      description:
        "What takes longer than 15 seconds, or than `Prefer: wait=` says, continues as a job: then `running` is true, and the counts are preliminary.",
      params,
      response: wantSchema,
      handle: ({ params: { id }, viewer, header }) => wanting.want(id, viewer, patienceOf(header("prefer"), 15_000)),
    }),
    defineRoute({
      method: "GET",
      path: "/api/lists/{id}/cbl",
      access: "library.view",
      summary: "Export a list as a reading-list file",
      params,
      responseType: "application/xml",
      handle: async ({ params: { id }, viewer }) => {
        const { name, text } = await exportList(exporting, id, viewer);
        return reply.text(text, "application/xml; charset=utf-8", {
          downloadName: `${name.replaceAll(/[\\/:*?"<>|\u0000-\u001f]/g, "-")}.cbl`,
        });
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/lists/{id}/unmatched",
      access: "library.view",
      summary: "Delete the unmatched books of a list",
      params,
      response: z.object({ removed: z.number().int() }),
      handle: async ({ params: { id }, viewer }) => ({ removed: await editing.dismiss(id, viewer) }),
    }),
  ];
}
