import { open } from "node:fs/promises";
import type { CollectionContract } from "@longbox/collection/contract";
import type { JobControl } from "@longbox/operations/contract";
import type { ArchiveKind } from "../archives/archive.js";
import { archiveKind, kindHeadBytes } from "../archives/kinds.js";
import type { FolderTurns } from "../folder-turns.js";
import type { Scanner } from "../scan/scanner.js";
import type { Converting } from "./converting.js";
import { eachHolding, eachSeries } from "./series-walk.js";
import { counted, named } from "./wording.js";

export interface ConvertingAllParts {
  readonly collection: CollectionContract;
  readonly scanner: Scanner;
  readonly converting: Converting;
  readonly turns: FolderTurns;
}

/** Every RAR of the collection, whatever its name says it is; one that cannot be converted stays as it is. */
export async function convertRars(parts: ConvertingAllParts, dryRun: boolean, control: JobControl): Promise<string> {
  const rars: string[] = [];
  const converted: string[] = [];
  const problems: string[] = [];
  const convert = (path: string) => parts.turns.take("cleanup", () => parts.converting.convert(path));
  try {
    for await (const { series, done, total } of eachSeries(parts.collection, control.signal)) {
      for await (const { holding } of eachHolding(parts.collection, series.id)) {
        if (!holding.valid || (await kindOf(holding.path)) !== "rar") continue;
        control.signal.throwIfAborted();
        rars.push(holding.name);
        if (dryRun) continue;
        await parts.turns.untilFree();
        await convert(holding.path).then((path) => converted.push(path), (thrown: unknown) => problems.push(`${holding.name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`));
      }
      control.progress(done + 1, total);
    }
  } finally {
    if (converted.length > 0) await parts.scanner.scanAround(converted);
  }
  if (dryRun) return named(counted(rars.length, "file is a RAR", "files are RARs"), rars);
  const what = `${counted(converted.length, "file was", "files were")} converted`;
  return problems.length === 0 ? what : named(`${what}, ${problems.length} not`, problems);
}

async function kindOf(path: string): Promise<ArchiveKind | undefined> {
  const handle = await open(path, "r").catch(() => undefined);
  if (!handle) return undefined;
  try {
    if ((await handle.stat()).isDirectory()) return "folder";
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(kindHeadBytes), 0, kindHeadBytes, 0);
    return archiveKind(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}
