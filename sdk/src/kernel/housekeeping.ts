import { contract } from "../token.js";

/** Removes files from the data folder that are no longer needed. */
export interface KernelHousekeepingContract {
  /** Deletes cached files that have not been used for so many days. They are made again when they are needed. */
  tidyCaches(unusedDays: number): Promise<{ readonly files: number; readonly freedBytes: number }>;
}

/** Removes files from the data folder that are no longer needed. Provided by the kernel itself. */
export const KernelHousekeeping = contract<KernelHousekeepingContract>("kernel.housekeeping", "1.0.0");
