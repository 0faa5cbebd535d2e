import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Whether documents that are made from the source are written again instead of compared. */
const updates = process.env["LONGBOX_UPDATE_DOCUMENTS"] === "1";

/** Complains when a document is not what the source makes. With `LONGBOX_UPDATE_DOCUMENTS=1` it is written instead. */
export async function compareGenerated(root: string, path: string, made: string): Promise<string[]> {
  if (updates) await writeFile(join(root, path), made);
  const kept = await readFile(join(root, path), "utf8").catch(() => "");
  if (kept === made) return [];
  return [`${path} does not show the source as it is. To write it again: LONGBOX_UPDATE_DOCUMENTS=1 npm run check.`];
}
