import { hash } from "node:crypto";
import { foldWords } from "@longbox/sdk";
import { z } from "zod";
import type { Release } from "../contract.js";

const text = (most: number) => z.string().transform((value) => value.trim().slice(0, most));

/** What comes from a source is cut to size, and left out where it makes no sense. */
export const releaseSchema: z.ZodType<Release> = z.object({
  guid: z.string().min(1).max(500),
  title: text(500).pipe(z.string().min(1)),
  protocol: z.enum(["direct", "usenet", "torrent"]),
  reference: z.string().max(4_000),
  sizeBytes: z.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional().catch(undefined),
  publishedAt: z.iso.datetime().optional().catch(undefined),
  infoUrl: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional()
    .catch(undefined),
  seeders: z.number().int().nonnegative().max(1_000_000_000).optional().catch(undefined),
  infoHash: z
    .string()
    .toLowerCase()
    .regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/)
    .optional()
    .catch(undefined),
  passwordProtected: z.boolean().optional().catch(undefined),
  fileNames: z.array(text(500)).max(20_000).optional().catch(undefined),
  format: text(20).optional().catch(undefined),
  pack: z.boolean().optional().catch(undefined),
});

/** What is kept of a release: the names of its files only count while it is decided on. */
export function storedRelease(release: Release): string {
  const { fileNames: _names, ...kept } = release;
  return JSON.stringify(kept);
}

export function readRelease(json: string): Release {
  return releaseSchema.parse(JSON.parse(json));
}

/** Knows a release again: torrents by their hash, wherever they were found, all others by source and guid. */
export function releaseKey(sourceId: string, { guid, infoHash }: Pick<Release, "guid" | "infoHash">): string {
  return infoHash ?? hash("sha256", `${sourceId}\n${guid}`).slice(0, 40);
}

/** Knows a release again that several sources offer. */
export function sameRelease({ title, sizeBytes, protocol, infoHash }: Release): string {
  return infoHash ?? `${protocol} ${foldWords(title)} ${sizeBytes ?? ""}`;
}
