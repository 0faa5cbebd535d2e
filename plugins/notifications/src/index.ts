import { Collection, type CollectionContract } from "@longbox/collection/contract";
import { Jobs, Schedules, type JobsContract, type Schedule } from "@longbox/operations/contract";
import { definePlugin, KernelInspection, KernelUsers, type PluginContext } from "@longbox/sdk";
import { Addressing } from "./addressing.js";
import { emailChannel } from "./channels/email.js";
import { webChannels } from "./channels/web-channels.js";
import { webPushChannel } from "./channels/web-push.js";
import { NotificationChannels, Notifications } from "./contract.js";
import type { NoticeRecords } from "./keeping/notice-records.js";
import { forgetUser, handOver } from "./keeping/owned-records.js";
import { notifications as notificationsMigration } from "./migrations/0001-notifications.js";
import { choiceRoutes } from "./routes/choice-routes.js";
import { lists } from "./migrations/0002-lists.js";
import { verifiedAddresses } from "./migrations/0003-verified-addresses.js";
import { languages } from "./migrations/0004-languages.js";
import { noticeRoutes } from "./routes/notice-routes.js";
import { serviceWorker } from "./service-worker.js";
import { openParts, type Parts } from "./parts.js";
import { notificationSettings, type NotificationSettings } from "./settings.js";
import { tellOfJob } from "./telling/failed-jobs.js";
import { followRestrictions } from "./telling/restricting.js";

const dayMs = 24 * 60 * 60_000;

export default definePlugin({
  requires: { library: Collection, users: KernelUsers, kernel: KernelInspection },
  optional: { jobs: Jobs },
  settings: notificationSettings,
  migrations: [notificationsMigration, lists, verifiedAddresses, languages],
  async activate(capabilities, context) {
    const { library, kernel, jobs } = capabilities;
    const parts = await openParts(capabilities, context);
    const { database, notices, preferences, channels, delivering, telling, keys, settings, changed } = parts;
    for (const channel of [
      emailChannel(settings),
      webPushChannel(context.fetch, keys, { settings, publicUrl: () => kernel.publicUrl() }),
      ...webChannels(context.fetch),
    ])
      context.contribute(NotificationChannels, channel);
    context.provide(Notifications, { notify: (notice, recipients) => telling.notify(notice, recipients) });
    await parts.arrivals.begin();
    context.own(library.onIssuesOwned((issueIds) => parts.arrivals.arrived(issueIds)));
    followSeries(library, parts, context);
    followJobs(jobs.use, { ...parts, kernel }, context);
    context.own(context.settings.onChange(() => delivering.wake()));
    context.own(channels.onChange(() => delivering.wake()));
    context.contribute(Schedules, tidySchedule(notices, settings));
    context.routes([
      ...noticeRoutes({ notices, users: capabilities.users, changed }),
      ...choiceRoutes({
        addressing: new Addressing({ ...parts, users: capabilities.users }),
        channels,
        preferences,
        pushKey: keys.publicKey,
        changed,
        serviceWorker,
      }),
    ]);
    delivering.wake();
    context.onUserDeleted((userId) => forgetUser(database, userId));
    context.onUserAdopted((change) => handOver(database, change));
  },
});

/** Notifications of a series that became restricted are withdrawn. */
function followSeries(
  library: CollectionContract,
  { notices, changed }: Pick<Parts, "notices" | "changed">,
  context: PluginContext,
): void {
  const listening = library.onSeriesChanged((seriesIds) => {
    followRestrictions(notices, library, seriesIds).then(changed, (fault: unknown) => {
      if (!context.signal.aborted)
        context.log.error("Notifications of changed series could not be updated.", { fault: String(fault) });
    });
  });
  context.own(listening);
}

function followJobs(jobs: JobsContract, parts: Parameters<typeof tellOfJob>[0], context: PluginContext): void {
  const listening = jobs.onJobEnded((job) => {
    tellOfJob(parts, job).catch((fault: unknown) => {
      if (!context.signal.aborted)
        context.log.error("Users could not be notified of a failed job.", { fault: String(fault) });
    });
  });
  context.own(listening);
}

function tidySchedule(notices: NoticeRecords, settings: () => NotificationSettings): Schedule {
  return {
    key: "notifications.tidy",
    title: "Delete old notifications",
    description: "Deletes notifications that are older than the configured number of days",
    cron: "20 4 * * *",
    enabled: true,
    run: async () => {
      const gone = await notices.forgetBefore(Date.now() - settings().keepDays * dayMs);
      return `${gone} forgotten`;
    },
  };
}
