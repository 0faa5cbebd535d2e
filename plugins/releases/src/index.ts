import { randomUUID } from "node:crypto";
import { Catalog, Collection } from "@longbox/collection/contract";
import { Metadata } from "@longbox/metadata/contract";
import { Notifications } from "@longbox/notifications/contract";
import { Jobs, ResumableJobs, Schedules } from "@longbox/operations/contract";
import { definePlugin, KernelUsers } from "@longbox/sdk";
import { pluginMessages } from "@longbox/sdk/messages";
import { z } from "zod";
import { Checking } from "./crawling/checking.js";
import { Crawl } from "./crawling/crawl.js";
import { Downloading } from "./downloading.js";
import { FeedKeys } from "./feeds/feed-keys.js";
import { OwnedRecords } from "./keeping/owned-records.js";
import { ReleaseRecords } from "./keeping/release-records.js";
import { releasesMigration } from "./migrations/0001-releases.js";
import { feedRoutes } from "./routes/feed-routes.js";
import { followingRoutes } from "./routes/following-routes.js";
import { listRoutes } from "./routes/list-routes.js";
import { releaseSettings } from "./settings.js";
import { Matching } from "./showing/matching.js";
import { Releases } from "./showing/releases.js";
import type { ReleaseTables } from "./tables.js";
import { Telling } from "./telling/telling.js";

const instanceSchema = z.object({ id: z.string().default("") });

export default definePlugin({
  requires: { library: Collection, catalog: Catalog, users: KernelUsers, metadata: Metadata, jobs: Jobs },
  optional: { notifications: Notifications },
  settings: releaseSettings,
  migrations: [releasesMigration],
  async activate({ library, catalog, users, metadata, jobs, notifications }, context) {
    const database = context.storage.database<ReleaseTables>();
    const settings = () => context.settings.current;
    const instance = await context.storage.document("instance", instanceSchema);
    if (instance.read().id === "") await instance.update(() => ({ id: randomUUID() }));
    const records = new ReleaseRecords(database);
    const owned = new OwnedRecords(database);
    const matching = new Matching({ library, catalog, owned });
    const releases = new Releases(records, matching);
    const isOn = () => settings().tell;
    const say = pluginMessages(import.meta.url);
    const telling = new Telling({ records, owned, matching, library, catalog, users, notifications, say, isOn });
    const crawl = new Crawl({
      metadata,
      records,
      changed: () => context.changed("releases"),
      done: async () => {
        // Clients show when the provider was asked last, even where nothing is new.
        context.changed("releases");
        await telling.tell();
      },
    });
    const checking = new Checking({ crawl, records, jobs, settings, signal: context.signal });
    context.contribute(Schedules, checking.schedule());
    context.contribute(ResumableJobs, checking.resuming());
    context.routes([
      ...listRoutes({ releases, checking, downloading: new Downloading(releases, metadata), metadata }),
      ...followingRoutes({ records, owned, changed: (userId) => context.changed("releases", { userIds: [userId] }) }),
      ...feedRoutes({ releases, keys: new FeedKeys(database), instance: instance.read().id }),
    ]);
    context.onUserDeleted((userId) => owned.forgetUser(userId));
    context.onUserAdopted(({ from, to }) => owned.handOver(from, to));
  },
});
