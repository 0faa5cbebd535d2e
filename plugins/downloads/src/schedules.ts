import { counted } from "@longbox/sdk";
import type { Schedule } from "@longbox/operations/contract";
import type { Parts } from "./parts.js";

const dayMs = 86_400_000;
/** What was imported or cancelled stays known as long. */
const endedDays = 30;

/** What the plugin does by the clock. */
export function schedulesOf({ automatic, feeds, history, items, settings }: Parts): Schedule[] {
  return [
    {
      key: "downloads.search",
      title: "Search for wanted items",
      description: "Queues wanted items that were not searched for lately, as many as the settings allow within a day",
      cron: "25 */6 * * *",
      enabled: true,
      run: async () => `${counted(await automatic.run(), "item")} queued`,
    },
    {
      key: "downloads.feeds",
      title: "Watch what sources have new",
      description: "Takes releases of wanted items from the feeds of sources, without a search",
      cron: "*/15 * * * *",
      enabled: true,
      run: async ({ signal }) => `${counted(await feeds.watch(signal), "release")} taken`,
    },
    {
      key: "downloads.tidy",
      title: "Forget old downloads",
      description: "Removes what is older than the settings say from the history",
      cron: "50 4 * * *",
      enabled: true,
      run: async () => {
        await history.forgetBefore(Date.now() - settings().keepHistoryDays * dayMs);
        await items.forgetEndedBefore(Date.now() - endedDays * dayMs);
      },
    },
  ];
}
