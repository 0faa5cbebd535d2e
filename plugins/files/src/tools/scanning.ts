import { stat } from "node:fs/promises";
import { counted, named, systemViewer } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import type { JobControl, Schedule } from "@longbox/operations/contract";
import type { Scanner } from "../scan/scanner.js";
import { follow } from "./following.js";
import { eachHolding, eachSeries } from "./series-walk.js";

export interface ScanningParts {
  readonly collection: CollectionContract;
  readonly scanner: Scanner;
}

/** Scans by the clock, for folders that do not report changes. */
export function scanSchedule(parts: ScanningParts): Schedule {
  return {
    key: "files.scan",
    title: "Scan the libraries",
    description: "Looks for new, changed, moved and removed files",
    cron: "0 4 * * *",
    enabled: true,
    run: (control) => scanAll(parts, control),
  };
}

/** @throws {Error} with what every library that could not be scanned says */
export async function scanAll(
  { scanner, collection }: ScanningParts,
  control: JobControl,
  options: { everything?: boolean } = {},
): Promise<string> {
  const stop = () => void scanner.cancel();
  control.signal.addEventListener("abort", stop, { once: true });
  try {
    await follow(
      () => scanner.state,
      control,
      () => scanner.follow(() => scanner.scanAll(options)),
    );
  } finally {
    control.signal.removeEventListener("abort", stop);
  }
  control.signal.throwIfAborted();
  const libraries = await collection.listLibraries(systemViewer);
  const outcomes = libraries.map((library) => ({ name: library.name, ...scanner.outcomeOf(library.id) }));
  const errors = outcomes.flatMap(({ name, error }) => (error === undefined ? [] : `${name}: ${error}`));
  if (errors.length > 0) throw new Error(errors.join(" "));
  return outcomes.flatMap(({ message }) => message ?? []).join("; ") || "Nothing to scan";
}

/** Files that are gone are forgotten by the scan that notices. */
export async function removeGhosts(parts: ScanningParts, dryRun: boolean, control: JobControl): Promise<string> {
  if (!dryRun) return scanAll(parts, control);
  const ghosts: string[] = [];
  for await (const { series, done, total } of eachSeries(parts.collection, control.signal)) {
    for await (const { holding } of eachHolding(parts.collection, series.id))
      if (!(await stat(holding.path).catch(() => undefined))) ghosts.push(holding.name);
    control.progress(done + 1, total);
  }
  return named(`${counted(ghosts.length, "file is", "files are")} gone`, ghosts);
}
