import { join } from "node:path";
import type { WorkspacePublication } from "../publishing/workspaces.js";

export interface KernelSurroundings {
  readonly dataFolder: string;
  readonly registry: string;
  /** Whether the registry was started for this server. */
  readonly ownsRegistry: boolean;
  readonly publications: readonly WorkspacePublication[];
}

/**
 * How long the kernel waits for a registry that is woken by the request itself: on a busy machine that takes a while.
 */
const wakingMs = 60_000;

/** The variables with which the kernel is started, where `given` does not say otherwise. */
export function kernelEnvironment(given: NodeJS.ProcessEnv, surroundings: KernelSurroundings): Record<string, string> {
  const { dataFolder, registry, ownsRegistry, publications } = surroundings;
  const defaults = publications
    .filter(({ isDefault }) => isDefault)
    .map(({ name, version }) => `${name}@${version}`)
    .join(",");
  return {
    LONGBOX_DATA: dataFolder,
    LONGBOX_REGISTRY: registry,
    LONGBOX_DEFAULT_PLUGINS: given["LONGBOX_DEFAULT_PLUGINS"] ?? defaults,
    ...(ownsRegistry && {
      LONGBOX_REGISTRY_TOKEN_FILE: join(dataFolder, "registry", "token"),
      LONGBOX_REGISTRY_MS: given["LONGBOX_REGISTRY_MS"] ?? String(wakingMs),
    }),
  };
}
