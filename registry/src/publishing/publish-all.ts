import { isPlugin, readPackageJson, type RegistryAddress } from "@longbox/plugin-cli/packing";
import { publishBuilt } from "./publish-folder.js";
import { workspaceFolders, type WorkspacePublication } from "./workspaces.js";

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
