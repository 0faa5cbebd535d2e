import { basename } from "node:path";
import { counted, named } from "@longbox/sdk";
import type { FilesEngine } from "@longbox/files/contract";
import type { JobControl } from "@longbox/operations/contract";
import { eachRead } from "../each-read.js";
import type { Converting } from "./converting.js";

/**
 * Converts all RAR files of the libraries, identified by their contents. Files that cannot be converted stay unchanged.
 */
export async function convertRars(
  { engine, converting }: { readonly engine: FilesEngine; readonly converting: Converting },
  dryRun: boolean,
  control: JobControl,
): Promise<string> {
  const rars: string[] = [];
  const converted: string[] = [];
  const problems: string[] = [];
  try {
    for await (const { path, error } of eachRead(engine, { format: "cbr" }, control.signal)) {
      if (error !== undefined) continue;
      rars.push(basename(path));
      if (dryRun) continue;
      await engine
        .exclusively("Files are being converted", () => converting.convert(path))
        .then(
          (written) => converted.push(written),
          (thrown: unknown) =>
            problems.push(`${basename(path)}: ${thrown instanceof Error ? thrown.message : String(thrown)}`),
        );
      control.progress(rars.length);
    }
  } finally {
    if (converted.length > 0) await engine.rescan(converted);
  }
  if (dryRun) return named(counted(rars.length, "file is a RAR", "files are RARs"), rars);
  const what = `${counted(converted.length, "file was", "files were")} converted`;
  return problems.length === 0 ? what : named(`${what}, ${problems.length} not`, problems);
}
