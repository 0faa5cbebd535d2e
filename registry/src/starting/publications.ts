import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeWhole } from "../serving/whole-file.js";
import type { WorkspacePublication } from "../publishing/workspaces.js";

const recordSchema = z.object({
  build: z.string(),
  publications: z.array(
    z.object({ name: z.string(), version: z.string(), isNew: z.boolean(), isDefault: z.boolean() }),
  ),
});

/** The record of the packages that were published from this build, with which bundling and comparing can be skipped. */
export async function recalledPublications(
  folder: string,
  build: string | undefined,
): Promise<WorkspacePublication[] | undefined> {
  const text = await readFile(file(folder), "utf8").catch(() => undefined);
  const record = recordSchema.safeParse(text === undefined ? undefined : tryParse(text));
  return record.success && record.data.build === build ? record.data.publications : undefined;
}

export async function rememberPublications(
  folder: string,
  build: string | undefined,
  publications: readonly WorkspacePublication[],
): Promise<void> {
  if (build === undefined) return;
  await writeWhole(file(folder), `${JSON.stringify({ build, publications })}\n`);
}

const file = (folder: string) => join(folder, "published.json");

// Without a readable record, the packages are compared again, which takes a few seconds.
function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
