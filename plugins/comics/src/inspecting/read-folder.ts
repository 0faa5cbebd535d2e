import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FolderReading } from "@longbox/files/contract";
import { readSmallFile } from "@longbox/sdk/light";

const largestBytes = 64 * 1024;

/** Some programs leave a series.json in the folder of a series. */
export function readSeriesJson(folder: string): FolderReading | undefined {
  const path = join(folder, "series.json");
  // Most folders have none, and asking costs less than a failure to open it.
  if (!existsSync(path)) return undefined;
  let document: unknown;
  try {
    document = JSON.parse(readSmallFile(path, largestBytes)?.toString("utf8") ?? "null");
  } catch {
    return undefined;
  }
  const metadata = (document as { metadata?: Record<string, unknown> } | null)?.metadata;
  if (typeof metadata !== "object" || metadata === null) return undefined;
  const text = (key: string) =>
    typeof metadata[key] === "string" && metadata[key] !== "" ? (metadata[key] as string) : undefined;
  const number = (key: string) =>
    Number.isInteger(Number(metadata[key])) && Number(metadata[key]) > 0 ? Number(metadata[key]) : undefined;
  const cvId = number("comicid");
  return {
    name: text("name"),
    year: number("year"),
    publisher: text("publisher"),
    ...(cvId !== undefined && { ids: { cv: String(cvId) } }),
  };
}
