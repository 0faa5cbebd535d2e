import { LongboxError, NotFound } from "@longbox/sdk";
import { covers } from "../http/routing/base-paths.js";
import type { AbsentPaths } from "../http/routing/dispatcher.js";
import { inject, injectable } from "../injection.js";
import { Fleet } from "./installed/fleet.js";

/**
 * What a path inside of a plugin's base path answers where the plugin has no route: "not there" while it runs or is
 * switched off, "not now" while it should run and does not. No page of the web interface is served instead.
 */
@injectable()
export class AbsentPlugins implements AbsentPaths {
  constructor(@inject(Fleet) private readonly fleet: Fleet) {}

  failure(path: string): LongboxError | undefined {
    for (const { plugin, enabled, running } of this.fleet.members.values()) {
      if (!plugin.manifest.basePaths.some((basePath) => covers(basePath, path))) continue;
      if (enabled && !running)
        return new LongboxError(
          "unavailable",
          "kernel/plugin-not-running",
          `The plugin "${plugin.id}", which answers here, does not run now.`,
          { plugin: plugin.id },
          { retryAfterSeconds: 30 },
        );
      return new NotFound("kernel/no-such-path", "There is nothing at this path.");
    }
    return undefined;
  }
}
