import { rename, writeFile } from "node:fs/promises";

/** Writes a file atomically. It is readable only by its owner. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const beside = `${path}.${process.pid}.new`;
  await writeFile(beside, text, { mode: 0o600 });
  await rename(beside, path);
}
