import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { readPackageJson } from "@longbox/plugin-cli/packing";
import type { Publication } from "./publish-folder.js";

export interface WorkspacePublication extends Publication {
  /** Whether a new installation starts with it. */
  readonly isDefault: boolean;
}

/** The packages that a checkout would publish, from its package.json files, for an external registry. */
export async function listPublic(root: string): Promise<WorkspacePublication[]> {
  const manifests = await Promise.all((await workspaceFolders(root)).map(readPackageJson));
  return manifests
    .filter((manifest) => !manifest.private)
    .map(({ name, version, longboxDefault }) => ({ name, version, isNew: false, isDefault: longboxDefault }));
}

/** The folders of a checkout's workspaces that hold a package. */
export async function workspaceFolders(root: string): Promise<string[]> {
  const { workspaces } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { workspaces: string[] };
  const folders: string[] = [];
  for (const pattern of workspaces) {
    for await (const path of glob(`${pattern}/package.json`, { cwd: root })) folders.push(join(root, path, ".."));
  }
  return folders.sort();
}
