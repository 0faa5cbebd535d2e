import type { KernelHousekeepingContract } from "@longbox/sdk";
import type { Schedule } from "../contract.js";
import { sizeOf } from "./sizes.js";

const unusedDays = 60;

/** Deletes cached files that have not been used for two months. */
export function cacheSchedule(housekeeping: KernelHousekeepingContract): Schedule {
  return {
    key: "operations.tidy-caches",
    title: "Tidy caches",
    description: `Deletes cached covers, pages and other files that have not been used for ${unusedDays} days`,
    cron: "10 4 * * 0",
    enabled: true,
    async run() {
      const { files, freedBytes } = await housekeeping.tidyCaches(unusedDays);
      return `${files} files dropped, ${sizeOf(freedBytes)} freed`;
    },
  };
}
