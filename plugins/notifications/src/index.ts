import { Collection } from "@longbox/collection/contract";
import { Jobs, Schedules } from "@longbox/operations/contract";
import { definePlugin, KernelInspection, KernelUsers } from "@longbox/sdk";
import { Addressing } from "./addressing.js";
import { emailChannel } from "./channels/email.js";
import { webChannels } from "./channels/web-channels.js";
import { pushKeys, pushKeysSchema, webPushChannel } from "./channels/web-push.js";
import { NotificationChannels, Notifications } from "./contract.js";
import { Delivering } from "./delivering/delivering.js";
import { AddressRecords } from "./keeping/address-records.js";
import { ArrivalRecords } from "./keeping/arrival-records.js";
import { DeliveryRecords } from "./keeping/delivery-records.js";
import { NoticeRecords } from "./keeping/notice-records.js";
import { forgetUser, handOver } from "./keeping/owned-records.js";
import { PreferenceRecords } from "./keeping/preference-records.js";
import { notifications as notificationsMigration } from "./migrations/0001-notifications.js";
import { choiceRoutes } from "./routes/choice-routes.js";
import { lists } from "./migrations/0002-lists.js";
import { verifiedAddresses } from "./migrations/0003-verified-addresses.js";
import { noticeRoutes } from "./routes/notice-routes.js";
import { serviceWorker } from "./service-worker.js";
import { notificationSettings } from "./settings.js";
import type { NotificationTables } from "./tables.js";
import { Arrivals } from "./telling/arrivals.js";
import { tellOfJob } from "./telling/failed-jobs.js";
import { followRestrictions } from "./telling/restricting.js";
import { Telling } from "./telling/telling.js";

const dayMs = 24 * 60 * 60_000;
/** The waits between six attempts, in units of the setting: half a minute, two, ten, an hour, six hours. */
const waits = [1, 4, 20, 120, 720];

export default definePlugin({
  requires: { library: Collection, users: KernelUsers, kernel: KernelInspection },
  optional: { jobs: Jobs },
  settings: notificationSettings,
  migrations: [notificationsMigration, lists, verifiedAddresses],
  async activate({ library, users, kernel, jobs }, context) {
    const database = context.storage.database<NotificationTables>();
    const settings = () => context.settings.current;
    const notices = new NoticeRecords(database);
    const addresses = new AddressRecords(database);
    const preferences = new PreferenceRecords(database);
    const deliveries = new DeliveryRecords(database);
    const changed = (userIds: readonly number[]) => context.changed("notifications", { userIds });

    const channels = context.open(NotificationChannels);
    const keys = await pushKeys(await context.storage.document("push-keys", pushKeysSchema));
    for (const channel of [
      emailChannel(settings),
      webPushChannel(context.fetch, keys, { settings, publicUrl: () => kernel.publicUrl() }),
      ...webChannels(context.fetch),
    ])
      context.contribute(NotificationChannels, channel);

    const absolute = async (path: string) => {
      const publicUrl = await kernel.publicUrl();
      return publicUrl === "" ? undefined : publicUrl + path;
    };
    const delivering: Delivering = context.own(
      new Delivering({
        channels,
        addresses,
        deliveries,
        notices,
        users,
        backoffMs: () => waits.map((units) => units * settings().retrySeconds * 1000),
        log: context.log,
        signal: context.signal,
        absolute,
        switchedOff: async ({ userId, name }, reason) => {
          await telling.notify(
            {
              category: "system",
              level: "warning",
              title: `${name} was disabled`,
              body: `Messages could not be delivered. ${reason}`,
              url: "/notifications",
            },
            { userIds: [userId] },
          );
        },
      }),
    );
    const telling: Telling = new Telling({
      database,
      notices,
      preferences,
      deliveries,
      library,
      users,
      told: changed,
      toSend: () => delivering.wake(),
    });
    context.provide(Notifications, { notify: (notice, recipients) => telling.notify(notice, recipients) });

    const arrivals = context.own(
      new Arrivals({
        library,
        users,
        preferences,
        telling,
        arrivals: new ArrivalRecords(database),
        log: context.log,
        joinMs: () => settings().joinSeconds * 1000,
      }),
    );
    await arrivals.begin();
    context.own(library.onIssuesOwned((issueIds) => arrivals.arrived(issueIds)));
    context.own(
      library.onSeriesChanged((seriesIds) => {
        followRestrictions(notices, library, seriesIds).then(changed, (fault: unknown) => {
          if (!context.signal.aborted)
            context.log.error("Notifications of changed series could not be updated.", { fault: String(fault) });
        });
      }),
    );
    context.own(
      jobs.use.onJobEnded((job) => {
        tellOfJob(telling, job).catch((fault: unknown) => {
          if (!context.signal.aborted)
            context.log.error("Users could not be notified of a failed job.", { fault: String(fault) });
        });
      }),
    );
    context.own(context.settings.onChange(() => delivering.wake()));
    context.own(channels.onChange(() => delivering.wake()));
    context.contribute(Schedules, {
      key: "notifications.tidy",
      title: "Delete old notifications",
      description: "Deletes notifications that are older than the configured number of days",
      cron: "20 4 * * *",
      enabled: true,
      run: async () => {
        const gone = await notices.forgetBefore(Date.now() - settings().keepDays * dayMs);
        return `${gone} forgotten`;
      },
    });

    context.routes([
      ...noticeRoutes({ notices, changed }),
      ...choiceRoutes({
        addressing: new Addressing({ channels, addresses, delivering, absolute }),
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
