import type { CollectionContract } from "@longbox/collection/contract";
import type { KernelInspectionContract, KernelUsers, PluginContext } from "@longbox/sdk";
import { pluginMessages, type Say } from "@longbox/sdk/messages";
import { pushKeys, pushKeysSchema } from "./channels/web-push.js";
import { channelRules } from "./contribution-rules.js";
import { NotificationChannels, type Notice } from "./contract.js";
import { Delivering } from "./delivering/delivering.js";
import { AddressRecords } from "./keeping/address-records.js";
import { ArrivalRecords } from "./keeping/arrival-records.js";
import { DeliveryRecords } from "./keeping/delivery-records.js";
import { NoticeRecords } from "./keeping/notice-records.js";
import { PreferenceRecords } from "./keeping/preference-records.js";
import type { NotificationSettings } from "./settings.js";
import type { NotificationTables } from "./tables.js";
import { Arrivals } from "./telling/arrivals.js";
import { Telling } from "./telling/telling.js";

/** The waits between six attempts, in units of the setting: half a minute, two, ten, an hour, six hours. */
const waits = [1, 4, 20, 120, 720];

interface Given {
  readonly library: CollectionContract;
  readonly users: KernelUsers;
  readonly kernel: KernelInspectionContract;
}

export type Parts = Awaited<ReturnType<typeof openParts>>;
type Records = ReturnType<typeof openRecords>;

function openRecords(context: PluginContext<NotificationSettings>) {
  const database = context.storage.database<NotificationTables>();
  return {
    database,
    notices: new NoticeRecords(database),
    addresses: new AddressRecords(database),
    preferences: new PreferenceRecords(database),
    deliveries: new DeliveryRecords(database),
    say: pluginMessages(import.meta.url),
    channels: context.open(NotificationChannels, channelRules),
    settings: () => context.settings.current,
    changed: (userIds: readonly number[]) => context.changed("notifications", { userIds }),
  };
}

/** What tells users, and what sends it to their addresses. */
function openTelling(
  { library, users, kernel }: Given,
  context: PluginContext<NotificationSettings>,
  records: Records,
) {
  const { settings, say } = records;
  const absolute = async (path: string) => {
    const publicUrl = await kernel.publicUrl();
    return publicUrl === "" ? undefined : publicUrl + path;
  };
  const delivering: Delivering = context.own(
    new Delivering({
      ...records,
      users,
      backoffMs: () => waits.map((units) => units * settings().retrySeconds * 1000),
      log: context.log,
      signal: context.signal,
      absolute,
      async switchedOff({ userId, name }, reason) {
        await telling.notify(await disabledNotice(say, name, reason), { userIds: [userId] });
      },
    }),
  );
  const telling: Telling = new Telling({
    ...records,
    library,
    users,
    told: records.changed,
    toSend: () => delivering.wake(),
  });
  return { absolute, delivering, telling };
}

/** What the plugin is made of. */
export async function openParts(given: Given, context: PluginContext<NotificationSettings>) {
  const records = openRecords(context);
  const { absolute, delivering, telling } = openTelling(given, context, records);
  const arrivals = context.own(
    new Arrivals({
      ...given,
      preferences: records.preferences,
      telling,
      say: records.say,
      arrivals: new ArrivalRecords(records.database),
      log: context.log,
      joinMs: () => records.settings().joinSeconds * 1000,
    }),
  );
  const keys = await pushKeys(await context.storage.document("push-keys", pushKeysSchema));
  return { ...records, absolute, delivering, telling, arrivals, keys };
}

async function disabledNotice(say: Say, name: string, reason: string): Promise<Notice> {
  return {
    category: "system",
    level: "warning",
    title: await say("address.disabled", { address: name }),
    body: await say("address.undelivered", { reason }),
    url: "/notifications",
  };
}
