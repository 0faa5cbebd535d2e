import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";

export const manifestName = "backup.json";

/** What stands in a backup about itself: every file with its size and SHA-256. */
export const backupManifestSchema = z.object({
  format: z.literal(1),
  version: z.string(),
  createdAt: z.iso.datetime(),
  owners: z.array(z.string()),
  files: z.array(
    z.object({ path: z.string(), sizeBytes: z.number().int().nonnegative(), sha256: z.string().length(64) }),
  ),
});
export type BackupManifest = z.output<typeof backupManifestSchema>;
export type BackupFile = BackupManifest["files"][number];

/** Every file under a folder, with its size and checksum, by path. */
export async function describeFiles(folder: string): Promise<BackupFile[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files: BackupFile[] = [];
  for (const path of paths.sort())
    files.push({ path: relative(folder, path).split(sep).join("/"), ...(await checksum(path)) });
  return files;
}

async function checksum(path: string): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  await pipeline(createReadStream(path, { highWaterMark: 1_048_576 }), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      sizeBytes += chunk.byteLength;
      hash.update(chunk);
    }
  });
  return { sizeBytes, sha256: hash.digest("hex") };
}
