import { defineRoute, foldText, type Route } from "@longbox/sdk";
import { z } from "zod";
import type { OwnedRecords } from "../keeping/owned-records.js";
import type { ReleaseRecords } from "../keeping/release-records.js";
import { publisherSchema } from "../shapes.js";
import { addDays, dayOf } from "../weeks.js";

export interface FollowingRouteParts {
  readonly records: ReleaseRecords;
  readonly owned: OwnedRecords;
  readonly changed: (userId: number) => void;
}

/** Publishers whose first issues a user wants to see. */
export function followingRoutes({ records, owned, changed }: FollowingRouteParts): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/releases/publishers",
      access: "library.view",
      summary: "Publishers of releases, and which of them you follow",
      response: z.array(publisherSchema),
      async handle({ viewer }) {
        const followed = await owned.followedPublishers(viewer.user.id);
        const known = await records.listPublishers(addDays(dayOf(Date.now()), -31));
        const keys = new Set(known.map(({ key }) => key));
        const quiet = [...followed].filter(([key]) => !keys.has(key));
        return [
          ...known.map(({ key, publisher, releases }) => ({ publisher, followed: followed.has(key), releases })),
          ...quiet.map(([, publisher]) => ({ publisher, followed: true, releases: 0 })),
        ].toSorted((one, other) => (foldText(one.publisher) < foldText(other.publisher) ? -1 : 1));
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/releases/publishers",
      access: "library.view",
      summary: "Follow a publisher: first issues come onto your pull list; or follow it no longer",
      body: z.object({ publisher: z.string().trim().min(1).max(300), follow: z.boolean() }),
      response: z.object({ publisher: z.string(), followed: z.boolean() }),
      async handle({ body: { publisher, follow }, viewer }) {
        await owned.followPublisher(viewer.user.id, publisher, follow);
        changed(viewer.user.id);
        return { publisher, followed: follow };
      },
    }),
  ];
}
