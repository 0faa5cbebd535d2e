import type { KernelHousekeepingContract } from "@longbox/sdk";
import type { Schedule } from "../contract.js";
import { sizeOf } from "./sizes.js";

const unusedDays = 60;

/** Drops from all caches what nobody has wanted for two months. */
export function cacheSchedule(housekeeping: KernelHousekeepingContract): Schedule {
  return {
    key: "operations.tidy-caches",
    title: "Tidy caches",
    description: `Drops covers, pages and other things that can be made again, once nobody has wanted them for ${unusedDays} days`,
    cron: "10 4 * * 0",
    enabled: true,
    async run() {
      const { files, freedBytes } = await housekeeping.tidyCaches(unusedDays);
      return `${files} files dropped, ${sizeOf(freedBytes)} freed`;
    },
  };
}
