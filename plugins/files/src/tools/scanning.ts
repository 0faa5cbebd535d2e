import { stat } from "node:fs/promises";
import { counted, named, unlessMissing } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import type { JobControl, Schedule } from "@longbox/operations/contract";
import type { Scanner } from "../scan/scanner.js";
import { eachHolding, eachSeries } from "./series-walk.js";

export interface ScanningParts {
  readonly collection: CollectionContract;
  readonly scanner: Scanner;
}

/** Scans by the clock, for folders that do not report changes. */
export function scanSchedule({ scanner }: Pick<ScanningParts, "scanner">): Schedule {
  return {
    key: "files.scan",
    title: "Scan the libraries",
    description: "Looks for new, changed, moved and removed files",
    cron: "0 4 * * *",
    enabled: true,
    resumes: true,
    run: (control) => scanner.scanAllWithin(control),
  };
}

/** Files that are gone are forgotten by the scan that notices. */
export async function removeGhosts(parts: ScanningParts, dryRun: boolean, control: JobControl): Promise<string> {
  if (!dryRun) return parts.scanner.scanAllWithin(control);
  const ghosts: string[] = [];
  for await (const { series, done, total } of eachSeries(parts.collection, control.signal)) {
    for await (const { holding } of eachHolding(parts.collection, series.id))
      if (!(await unlessMissing(stat(holding.path)))) ghosts.push(holding.name);
    control.progress(done + 1, total);
  }
  return named(`${counted(ghosts.length, "file is", "files are")} gone`, ghosts);
}
