import { open } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

/** More of a document is not shown. */
const longestBytes = 256 * 1024;

export const pluginDocumentsSchema = z
  .object({
    readme: z.string().optional().meta({ description: "Markdown" }),
    changelog: z.string().optional().meta({ description: "Markdown" }),
  })
  .meta({ id: "PluginDocuments" });
export type PluginDocuments = z.output<typeof pluginDocumentsSchema>;

/** The documents of a plugin's package that are written for people. */
export async function readDocuments(folder: string): Promise<PluginDocuments> {
  const [readme, changelog] = await Promise.all(
    ["README.md", "CHANGELOG.md"].map((name) => readBeginning(join(folder, name))),
  );
  return { ...(readme !== undefined && { readme }), ...(changelog !== undefined && { changelog }) };
}

async function readBeginning(path: string): Promise<string | undefined> {
  try {
    await using file = await open(path, "r");
    const { buffer, bytesRead } = await file.read({
      buffer: Buffer.alloc(longestBytes),
      length: longestBytes,
      position: 0,
    });
    return buffer.toString("utf8", 0, bytesRead);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw fault;
  }
}
