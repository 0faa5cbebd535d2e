import type { Stats } from "node:fs";
import { lstat } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { BadInput, LongboxError, type Viewer } from "@longbox/sdk";
import { z } from "zod";
import type { PlaceRequest } from "../contract.js";
import { sentenceOf } from "../moving/disk-faults.js";

const longestPath = 4096;

export const placeRequest: z.ZodType<PlaceRequest> = z.object({
  path: z.string(),
  key: z.string().min(1).max(200),
  issueId: z.number().int().positive().optional(),
  mode: z.enum(["move", "copy", "link"]),
  replaces: z.enum(["worse", "always"]).optional(),
  agrees: z.boolean().optional(),
});

/** @throws {LongboxError} `files/may-not-import` */
export function requireImporter(viewer: Viewer): void {
  if (!viewer.may("library.manage"))
    throw new LongboxError("forbidden", "files/may-not-import", "Importing files needs the permission library.manage.");
}

/** @throws {BadInput} `files/bad-request`, naming each field */
export function parseRequest(request: PlaceRequest): PlaceRequest {
  const parsed = placeRequest.safeParse(request);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path, message }) => [path.join("."), message] as const);
  throw new BadInput("files/bad-request", "The request to place a file cannot be used.", Object.fromEntries(fields));
}

/**
 * Looks at a file or folder that is to be taken, without opening it.
 * @param field - the name under which it is refused
 * @throws {BadInput} `files/bad-path`
 */
export async function lookAtSource(path: string, field: string): Promise<Stats> {
  const refuse = (because: string) => {
    throw new BadInput("files/bad-path", `The file cannot be taken: it ${because}.`, { [field]: because });
  };
  if (!isAbsolute(path) || resolve(path) !== path || path.includes("\0") || path.length > longestPath)
    return refuse("must be named by a plain absolute path");
  const found = await lstat(path).catch((thrown: unknown) => sentenceOf(thrown));
  if (typeof found === "string") return refuse(`cannot be looked at. ${found.replace(/\.$/, "")}`);
  if (!found.isFile() && !found.isDirectory()) return refuse("must be a regular file or a folder, no link");
  return found;
}
