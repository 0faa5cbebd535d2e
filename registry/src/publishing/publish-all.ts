import { isPlugin, readPackageJson, type RegistryAddress } from "@longbox/plugin-cli/packing";
import { inBatches } from "@longbox/sdk";
import { publishBuilt } from "./publish-folder.js";
import { workspaceFolders, type WorkspacePublication } from "./workspaces.js";

/** One package is sent while others are bundled and packed. */
const packagesAtOnce = 4;

interface Destination {
  readonly registry: RegistryAddress;
  log(line: string): void;
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
  for (const some of inBatches(await workspaceFolders(root), packagesAtOnce)) {
    const tried = await Promise.allSettled(some.map((folder) => publishWorkspace(folder, { registry, log })));
    for (const one of tried) {
      if (one.status === "rejected") throw one.reason;
      if (one.value) publications.push(one.value);
    }
  }
  return publications;
}

/** @returns nothing for a workspace that is private or left out */
async function publishWorkspace(
  folder: string,
  { registry, log }: Destination,
): Promise<WorkspacePublication | undefined> {
  const manifest = await readPackageJson(folder);
  if (manifest.private) return undefined;
  try {
    const publication = await publishBuilt(folder, registry);
    if (publication.isNew) log(`Published ${publication.name}@${publication.version}`);
    return { ...publication, isDefault: manifest.longboxDefault };
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    if (manifest.longboxDefault || !isPlugin(manifest))
      throw new Error(`${manifest.name} could not be published: ${problem}`, { cause });
    log(`${manifest.name} is left out: ${problem.trim()}`);
    return undefined;
  }
}
