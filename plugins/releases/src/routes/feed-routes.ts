import { createHash } from "node:crypto";
import { defineRoute, inProtocol, reply, type Reply, type Route, type RouteRequest } from "@longbox/sdk";
import { z } from "zod";
import { atomText } from "../feeds/atom.js";
import { calendarText, type Calendar } from "../feeds/calendar.js";
import type { FeedKeys } from "../feeds/feed-keys.js";
import { feedKeySchema, madeKeySchema } from "../shapes.js";
import type { Releases } from "../showing/releases.js";
import { addDays, dayOf } from "../weeks.js";

export interface FeedRouteParts {
  readonly releases: Releases;
  readonly keys: FeedKeys;
  /** Names this server in the ids of events. */
  readonly instance: string;
}

const calendarPath = "/api/releases/calendar.ics";
const atomPath = "/api/releases/releases.atom";
/** What a feed shows: releases of the last 90 days and a year ahead. */
const daysBack = 90;
const daysAhead = 366;
/** A feed of everything would be of no use to a calendar. */
const query = z.object({
  key: z.string().max(200).optional(),
  show: z.enum(["mine", "tracked", "wanted"]).default("mine"),
});
type FeedRequest = RouteRequest<undefined, z.output<typeof query>>;

interface Feed {
  readonly path: `/${string}`;
  readonly summary: string;
  readonly type: string;
  readonly write: (calendar: Calendar) => string;
}

export function feedRoutes(parts: FeedRouteParts): Route[] {
  const feed = ({ path, summary, type, write }: Feed) =>
    defineRoute({
      method: "GET",
      path,
      access: "library.view",
      summary,
      description:
        "`key` is the feed key of a user, whose rights decide what is shown. `show`: the pull list by default.",
      query,
      responseType: type,
      handle: (request) => answer(parts, request, { type: `${type}; charset=utf-8`, write }),
    });
  return [
    ...inProtocol({ credentials: parts.keys.scheme() }, [
      feed({ path: calendarPath, summary: "Your releases as a calendar", type: "text/calendar", write: calendarText }),
      feed({ path: atomPath, summary: "Your releases as an Atom feed", type: "application/atom+xml", write: atomText }),
    ]),
    ...keyRoutes(parts.keys),
  ];
}

async function answer(
  { releases, instance }: FeedRouteParts,
  { query: { show }, url, viewer }: FeedRequest,
  feed: { readonly type: string; readonly write: (calendar: Calendar) => string },
): Promise<Reply> {
  const today = dayOf(Date.now());
  const range = { from: addDays(today, -daysBack), to: addDays(today, daysAhead) };
  const { releases: found } = await releases.list({ range, show }, viewer);
  const text = feed.write({
    name: "Longbox releases",
    instance,
    releases: found,
    pageOf: (path) => pageAddress(url, path),
  });
  return reply.text(text, feed.type, {
    validator: createHash("sha256").update(text).digest("base64url"),
    maxAgeSeconds: 900,
    headers: { "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex" },
  });
}

/** An address of the server as the client knows it. */
const pageAddress = (url: URL, path: string): string =>
  url.origin + url.pathname.slice(0, Math.max(0, url.pathname.indexOf("/api/releases"))) + path;

function keyRoutes(keys: FeedKeys): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/releases/calendar-key",
      access: "library.view",
      summary: "Whether you have a key for your feeds",
      response: feedKeySchema,
      handle: async ({ viewer }) => ({ madeAt: shownTime(await keys.madeAt(viewer.user.id)) }),
    }),
    defineRoute({
      method: "POST",
      path: "/api/releases/calendar-key",
      access: "library.view",
      summary: "Make a key for your feeds, in place of the one before; it is shown this once",
      response: madeKeySchema,
      async handle({ viewer, url }) {
        const key = await keys.make(viewer.user.id);
        const madeAt = shownTime(await keys.madeAt(viewer.user.id)) ?? new Date().toISOString();
        const address = (path: string) => `${pageAddress(url, path)}?key=${key}`;
        return { madeAt, key, calendar: address(calendarPath), atom: address(atomPath) };
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/releases/calendar-key",
      access: "library.view",
      summary: "Revoke the key for your feeds",
      response: z.object({ revoked: z.boolean() }),
      handle: async ({ viewer }) => ({ revoked: await keys.revoke(viewer.user.id) }),
    }),
  ];
}

const shownTime = (time: number | undefined): string | null =>
  time === undefined ? null : new Date(time).toISOString();
