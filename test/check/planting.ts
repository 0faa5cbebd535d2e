import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export const root = join(import.meta.dirname, "..", "..");
/** Where every rule expects to find something to read. */
const folders = [
  ...["sdk/src", "kernel/src", "registry/src", "registry/plugin-cli/src", "registry/create-longbox-plugin/src"],
  ...["plugins", "examples", "test/src", "test/bench", "test/spec"],
];

export interface Planted extends AsyncDisposable {
  readonly path: string;
}

/**
 * A repository that holds these files and nothing else.
 * @param real - files and folders of this repository that it holds, too: tools, and what they are set with
 */
export async function plant(files: Record<string, string>, real: readonly string[] = []): Promise<Planted> {
  const path = await mkdtemp(join(tmpdir(), "longbox-check-test-"));
  for (const folder of folders) await mkdir(join(path, folder), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), text);
  }
  for (const name of real) {
    if (name === "node_modules") await symlink(join(root, name), join(path, name));
    else await cp(join(root, name), join(path, name), { recursive: true });
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
