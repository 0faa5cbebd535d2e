import { contract } from "../token.js";

/** What keeps the data folder from filling with things that nobody needs. */
export interface KernelHousekeepingContract {
  /** Drops the files of all caches that have not been used for so many days. They are made again when somebody wants them. */
  tidyCaches(unusedDays: number): Promise<{ readonly files: number; readonly freedBytes: number }>;
}

/** Provided by the kernel itself: always there. */
export const KernelHousekeeping = contract<KernelHousekeepingContract>("kernel.housekeeping", "1.0.0");
