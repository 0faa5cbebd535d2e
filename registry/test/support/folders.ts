import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder that is gone when the test is, of the machine's temporary ones or in another place. */
export async function temporaryFolder(place = tmpdir()): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(place, "longbox-registry-test-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** Writes files, given by path; what is not text is written as JSON. */
export async function writeFiles(folder: string, files: Record<string, string | object>): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), typeof content === "string" ? content : JSON.stringify(content));
  }
  return folder;
}
