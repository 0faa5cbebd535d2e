import { rename, writeFile } from "node:fs/promises";

/** Writes a file so that a reader, or a kill in the middle, never finds half of it. It is readable by its owner alone. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const beside = `${path}.${process.pid}.new`;
  await writeFile(beside, text, { mode: 0o600 });
  await rename(beside, path);
}
