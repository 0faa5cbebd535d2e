import { defineRoute, idParameter, type KernelUsers, type Route, type Viewer } from "@longbox/sdk";
import { z } from "zod";
import type { Ask, Asking, SeenRequest } from "../asking.js";
import type { Deciding } from "../deciding/deciding.js";
import { listed } from "../deciding/policy.js";
import type { RequestSettings } from "../settings.js";
import {
  approvedSchema,
  askSchema,
  declinedSchema,
  foundSchema,
  kindSchema,
  outcomeSchema,
  requestsSchema,
  type requestSchema,
} from "../shapes.js";

const create = "requests.create";
const manage = "requests.manage";
const params = z.object({ id: idParameter });

export interface RequestRouteParts {
  readonly asking: Asking;
  readonly deciding: Deciding;
  readonly users: KernelUsers;
  readonly settings: () => RequestSettings;
}

export function requestRoutes(parts: RequestRouteParts): Route[] {
  return [listRoute(parts), ...readingRoutes(parts), ...askingRoutes(parts), ...decidingRoutes(parts)];
}

function listRoute({ asking, users, settings }: RequestRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/requests",
    access: create,
    summary: "Open requests and those decided within a month, and what you may do",
    response: requestsSchema,
    handle: async ({ viewer }) => {
      const seen = await asking.list(viewer);
      const names = await namesOf(users, seen);
      return {
        requests: seen.map((one) => toRow(one, viewer, names)),
        pending: seen.filter(({ record }) => record.state === "pending").length,
        may: {
          create: viewer.may(create),
          manage: viewer.may(manage),
          autoApprove: viewer.may(manage) || listed(settings().autoApproveRoles).includes(viewer.user.role),
        },
      };
    },
  });
}

function readingRoutes({ asking }: RequestRouteParts): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/requests/count",
      access: create,
      summary: "How many requests are pending",
      response: z.object({ pending: z.number().int() }),
      handle: async ({ viewer }) => ({ pending: await asking.countPending(viewer) }),
    }),
    defineRoute({
      method: "GET",
      path: "/api/requests/search",
      access: create,
      summary: "Search for something to request",
      query: z.object({ q: z.string().trim().min(1).max(200), kind: kindSchema.default("comic") }),
      response: z.array(foundSchema),
      handle: async ({ query: { q, kind }, viewer }) =>
        (await asking.search(q, kind, viewer)).map(({ externalId, authors, seriesId, ...row }) => ({
          ...defined(row),
          title: row.title,
          kind,
          ...(kind === "comic" ? { providerId: Number(externalId) } : { externalId }),
          ...(authors && { authors: [...authors] }),
          inLibrary: seriesId !== undefined,
          ...(seriesId !== undefined && { seriesId }),
        })),
    }),
  ];
}

function askingRoutes({ asking, deciding }: RequestRouteParts): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/requests",
      access: create,
      summary: "Make a request; where there is one already, this is a vote",
      description:
        "409 with `seriesId` when the library already has it, 403 with the reason when the policy refuses it.",
      body: askSchema,
      response: outcomeSchema,
      handle: ({ body, viewer }) => asking.ask(askOf(body), viewer),
    }),
    defineRoute({
      method: "POST",
      path: "/api/requests/{id}/vote",
      access: create,
      summary: "Vote for a request, or withdraw the vote",
      params,
      body: z.object({ on: z.boolean() }),
      response: z.object({ votes: z.number().int(), voted: z.boolean() }),
      handle: ({ params: { id }, body, viewer }) => asking.vote(id, body.on, viewer),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/requests/{id}",
      access: create,
      summary: "Withdraw a pending request: your own, or any if you decide on requests",
      params,
      response: z.object({ withdrawn: z.boolean() }),
      handle: async ({ params: { id }, viewer }) => {
        await deciding.withdraw((await asking.find(id, viewer)).record, viewer);
        return { withdrawn: true };
      },
    }),
  ];
}

function askOf(body: z.output<typeof askSchema>): Ask {
  const { note } = body;
  return "providerId" in body
    ? { kind: "comic", externalId: String(body.providerId), note }
    : { kind: body.kind, externalId: body.externalId, note };
}

function decidingRoutes({ asking, deciding }: RequestRouteParts): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/requests/{id}/approve",
      access: manage,
      summary: "Approve a pending request: it is added to the library by your rights",
      params,
      body: z.object({ download: z.boolean().default(false) }).optional(),
      response: approvedSchema,
      handle: async ({ params: { id }, body, viewer }) => {
        const { record } = await asking.find(id, viewer);
        return { id, ...(await deciding.approve(record, { viewer, download: body?.download ?? false })) };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/requests/{id}/decline",
      access: manage,
      summary: "Decline a pending request",
      params,
      body: z.object({ reason: z.string().trim().max(1000).optional() }).optional(),
      response: declinedSchema,
      handle: async ({ params: { id }, body, viewer }) => ({
        id,
        state: await deciding.decline((await asking.find(id, viewer)).record, viewer, body?.reason),
      }),
    }),
  ];
}

async function namesOf(users: KernelUsers, seen: readonly SeenRequest[]): Promise<ReadonlyMap<number, string>> {
  const ids = seen.flatMap(({ record }) => [
    record.user_id,
    ...(record.decided_by === null ? [] : [record.decided_by]),
  ]);
  return new Map((await users.findAll([...new Set(ids)])).map(({ id, username }) => [id, username]));
}

function toRow(
  { record, votes, voted, seriesId }: SeenRequest,
  viewer: Viewer,
  names: ReadonlyMap<number, string>,
): z.input<typeof requestSchema> {
  const { id, kind, state, title, note, external_id: externalId } = record;
  const authors = z.array(z.string()).parse(JSON.parse(record.authors));
  return {
    id,
    kind: kind as z.input<typeof kindSchema>,
    state: state as z.input<typeof requestSchema>["state"],
    title,
    note,
    votes,
    voted,
    mine: record.user_id === viewer.user.id,
    requestedBy: names.get(record.user_id) ?? "",
    createdAt: new Date(record.created_at).toISOString(),
    ...(kind === "comic" ? { providerId: Number(externalId) } : { externalId }),
    ...(authors.length > 0 && { authors }),
    ...defined({
      year: record.year,
      publisher: record.publisher,
      cover: record.image,
      decidedBy: record.decided_by === null ? null : names.get(record.decided_by),
      decidedAt: record.decided_at === null ? null : new Date(record.decided_at).toISOString(),
      reason: record.reason,
      seriesId,
    }),
  };
}

/** Without the fields that have no value. */
function defined<T extends object>(fields: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as {
    [Name in keyof T]?: NonNullable<T[Name]>;
  };
}
