import {
  activitySchema,
  defineRoute,
  flagParameter,
  idParameter,
  pageParameters,
  reply,
  type KernelUsers,
  type Route,
} from "@longbox/sdk";
import { z } from "zod";
import type { NoticeRecord, NoticeRecords } from "../keeping/notice-records.js";
import { readTexts } from "../keeping/notice-texts.js";
import { noticeSchema } from "../shapes.js";

const access = "library.view";
/** How many notifications the activity lists; the page of notifications shows all. */
const mostNew = 4;

export interface NoticeRouteParts {
  readonly notices: NoticeRecords;
  readonly users: Pick<KernelUsers, "find">;
  readonly changed: (userIds: readonly number[]) => void;
}

export function noticeRoutes(parts: NoticeRouteParts): Route[] {
  return [...readingRoutes(parts), activityRoute(parts), markRoute(parts), seenRoute(parts)];
}

function activityRoute({ notices, users }: NoticeRouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/notifications/activity",
    access,
    summary: "Your newest unread notifications, for the frame of the web interface",
    response: activitySchema,
    handle: async ({ viewer }) => {
      const unread = { userId: viewer.user.id, seesRestricted: viewer.seesRestricted, unread: true };
      const [user, rows, count] = await Promise.all([
        users.find(viewer.user.id),
        notices.list({ ...unread, limit: mostNew, offset: 0 }),
        notices.count(unread),
      ]);
      return { count, items: rows.map((row) => newNotice(toNotice(row, user?.language))) };
    },
  });
}

function newNotice({ id, title, body, url, at }: z.input<typeof noticeSchema>) {
  return {
    id,
    title,
    at,
    ...(body !== "" && { message: body }),
    ...(url !== null && { href: url, seen: `/api/notifications/${id}/read` }),
  };
}

function readingRoutes({ notices, users }: NoticeRouteParts): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/notifications",
      access,
      summary: "Your notifications, newest first, in your language",
      description: "X-Total-Count says how many there are, X-Unread-Count how many of them are unread.",
      query: z.object({ ...pageParameters({ default: 50, max: 200 }), unread: flagParameter.optional() }),
      response: z.array(noticeSchema),
      handle: async ({ query, viewer }) => {
        const own = { userId: viewer.user.id, seesRestricted: viewer.seesRestricted };
        const [user, rows, total, unread] = await Promise.all([
          users.find(viewer.user.id),
          notices.list({ ...own, ...query }),
          notices.count({ ...own, unread: query.unread }),
          notices.count({ ...own, unread: true }),
        ]);
        return reply.json(
          rows.map((row) => toNotice(row, user?.language)),
          { "X-Total-Count": String(total), "X-Unread-Count": String(unread) },
        );
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/notifications/unread",
      access,
      summary: "How many of your notifications are unread",
      response: z.object({ unread: z.number().int() }),
      handle: async ({ viewer }) => ({
        unread: await notices.count({
          userId: viewer.user.id,
          seesRestricted: viewer.seesRestricted,
          unread: true,
        }),
      }),
    }),
  ];
}

function markRoute({ notices, changed }: NoticeRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/notifications/read",
    access,
    summary: "Mark your own notifications read: some, or all of them",
    body: z
      .object({ ids: z.array(z.number().int().positive()).max(1000).optional(), all: z.literal(true).optional() })
      .refine(({ ids, all }) => (ids === undefined) !== (all === undefined), "must have either ids or all"),
    response: z.object({ unread: z.number().int() }),
    handle: async ({ body, viewer: { user, seesRestricted } }) => {
      const marked = await notices.markRead(user.id, body.ids ?? "all");
      if (marked > 0) changed([user.id]);
      return { unread: await notices.count({ userId: user.id, seesRestricted, unread: true }) };
    },
  });
}

function seenRoute({ notices, changed }: NoticeRouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/notifications/{id}/read",
    access,
    summary: "Mark one of your own notifications read",
    params: z.object({ id: idParameter }),
    response: z.object({ marked: z.boolean() }),
    handle: async ({ params: { id }, viewer: { user } }) => {
      const marked = await notices.markRead(user.id, [id]);
      if (marked > 0) changed([user.id]);
      return { marked: marked > 0 };
    },
  });
}

function toNotice(row: NoticeRecord, language: string | undefined): z.input<typeof noticeSchema> {
  const { id, category, level, url } = row;
  return {
    id,
    at: new Date(row.at).toISOString(),
    category: category as z.input<typeof noticeSchema>["category"],
    level: level as z.input<typeof noticeSchema>["level"],
    ...readTexts(row, language),
    url,
    read: row.read === 1,
  };
}
