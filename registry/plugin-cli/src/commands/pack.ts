import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { packPlugin } from "../packing/build.js";

/** Packs a plugin into a file of its folder. @returns the file's name */
export async function pack(folder: string): Promise<string> {
  const { manifest, tarball } = await packPlugin(folder, {});
  const file = `${manifest.name.replace(/^@/, "").replace("/", "-")}-${manifest.version}.tgz`;
  await writeFile(join(folder, file), tarball);
  return file;
}
