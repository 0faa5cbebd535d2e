import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isPlugin, readPackageJson } from "../packing/package-json.js";
import { publishBuilt, type Publication } from "./publish-folder.js";
import type { RegistryAddress } from "./publish-package.js";

export interface WorkspacePublication extends Publication {
  /** Whether a new installation starts with it. */
  readonly isDefault: boolean;
}

/**
 * Publishes every public workspace of a built checkout whose content is not in the registry yet. A plugin that cannot
 * be packed, such as one that is not finished, is logged and left out.
 * @throws {Error} When it is a default plugin, or not a plugin.
 */
export async function publishAll(
  root: string,
  registry: RegistryAddress,
  log: (line: string) => void = () => {},
): Promise<WorkspacePublication[]> {
  const publications: WorkspacePublication[] = [];
  for (const folder of await workspaceFolders(root)) {
    const manifest = await readPackageJson(folder);
    if (manifest.private) continue;
    const publication = await publishBuilt(folder, registry).catch((error: Error) => {
      if (manifest.longboxDefault || !isPlugin(manifest))
        throw new Error(`${manifest.name} could not be published: ${error.message}`, { cause: error });
      log(`${manifest.name} is left out: ${error.message.trim()}`);
    });
    if (!publication) continue;
    if (publication.isNew) log(`Published ${publication.name}@${publication.version}`);
    publications.push({ ...publication, isDefault: manifest.longboxDefault });
  }
  return publications;
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
