import { join } from "node:path";
import type { WorkspacePublication } from "../publishing/workspaces.js";
import { startRegistry } from "../serving/registry.js";
import { machineRegistry } from "../serving/upstream.js";
import type { Keeping, KeptRegistry } from "./keeper.js";
import { kernelEnvironment } from "./kernel-environment.js";
import { recalledPublications, rememberPublications } from "./publications.js";
import { publishCheckout } from "./publishing.js";
import { registryPort } from "./registry-port.js";

export interface StartOptions {
  /** The root of the checkout. */
  readonly root: string;
  readonly dataFolder: string;
  /** A fingerprint of what was built; the same one means that nothing needs publishing. */
  readonly build: string | undefined;
  /** A running registry to use instead of a local one. */
  readonly registry: string | undefined;
  readonly log: (line: string) => void;
}

/** What is ready to be started: the environment of the kernel, and what keeps it. */
export interface Prepared {
  readonly environment: Readonly<Record<string, string>>;
  readonly keeping: Keeping;
}

/**
 * Publishes the checkout to the registry of the data folder, unless that was done for the same build.
 * @throws {Error} When the registry of this folder runs already or does not start, or a default plugin cannot be
 *   published.
 */
export async function prepareStart(options: StartOptions): Promise<Prepared> {
  const { root, dataFolder, registry: given } = options;
  const program = join(root, "kernel", "dist", "bin", "longbox.js");
  if (given !== undefined) {
    // Reading package.json files brings the whole of packing with it, which most starts do without.
    const { listPublic } = await import("../publishing/workspaces.js");
    return { environment: environmentOf(options, given, await listPublic(root)), keeping: { program } };
  }
  const folder = join(dataFolder, "registry");
  const recalled = await recalledPublications(folder, options.build);
  const port = await registryPort(folder);
  const url = `http://127.0.0.1:${port}`;
  if (recalled)
    return { environment: environmentOf(options, url, recalled), keeping: { program, registry: { folder, port } } };
  const registry = { folder, port, upstream: await machineRegistry() };
  return { environment: environmentOf(options, url, await publish(options, registry)), keeping: { program, registry } };
}

function environmentOf(
  { dataFolder, registry: given }: StartOptions,
  registry: string,
  publications: readonly WorkspacePublication[],
): Record<string, string> {
  return kernelEnvironment(process.env, { dataFolder, registry, ownsRegistry: given === undefined, publications });
}

/** The registry runs for that long; what keeps the server opens its address again. */
async function publish(
  { root, build, log }: StartOptions,
  place: KeptRegistry & { readonly upstream: string },
): Promise<WorkspacePublication[]> {
  const starting = startRegistry({ ...place, log: (line) => log(`registry: ${line}`) });
  await using registry = await starting.catch((cause: Error) => {
    throw new Error(`The registry did not start: ${cause.message}`, { cause });
  });
  log("Publishing the packages …");
  const publications = await publishCheckout({ root, registry }, log);
  await rememberPublications(place.folder, build, publications);
  return publications;
}
