import type { Releasable } from "../releasable.js";
import { contract } from "../token.js";
import type { Viewer } from "../viewer.js";

/** A plugin that the registry offers. */
export interface CatalogPlugin {
  /** The id in the plugin's manifest. */
  readonly name: string;
  readonly package: string;
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly keywords: readonly string[];
  /** The version that is installed. */
  readonly installed?: string | undefined;
  readonly updateAvailable: boolean;
  readonly compatible: boolean;
  /** Why it is not compatible. */
  readonly reason?: string | undefined;
  /** The registry does not answer; this is its last known state. */
  readonly stale?: boolean | undefined;
}

/** A plugin that is installed here. */
export interface InstalledPlugin {
  readonly name: string;
  readonly package: string;
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly keywords: readonly string[];
  readonly enabled: boolean;
  readonly state: string;
  /** Why it does not run. */
  readonly reason?: string | undefined;
  /** A newer version that the registry offered when it was last asked. */
  readonly updateAvailable?: string | undefined;
}

/**
 * The plugins of the server, for plugins that manage a kind of plugin. A kind is a keyword of the package beside
 * `longbox-plugin`, such as `longbox-source`.
 *
 * Changes are made on behalf of a viewer with `plugins.manage`, and are recorded in the audit log under that name.
 */
export interface KernelPlugins {
  /** The plugins of a kind in the registry. */
  catalog(keyword: string): Promise<readonly CatalogPlugin[]>;
  /** The installed plugins of a kind, ordered by id. */
  list(keyword: string): Promise<readonly InstalledPlugin[]>;
  /**
   * Installs a package, or changes the version of an installed one. Takes effect at once.
   * @param request - `accept` confirms what the package asks for, on behalf of the viewer
   * @throws {LongboxError} `kernel/forbidden`, `kernel/needs-consent` with what it asks for as `details.asks`, or
   * another code that `POST /api/plugins/install` answers with
   */
  install(
    request: {
      readonly name: string;
      readonly version?: string;
      readonly integrity?: string;
      readonly accept?: boolean;
    },
    viewer: Viewer,
  ): Promise<InstalledPlugin>;
  /**
   * Removes a plugin; its data is kept unless `purge`.
   * @throws {LongboxError} `kernel/forbidden`, `kernel/required-by-others`
   */
  uninstall(request: { readonly name: string; readonly purge?: boolean }, viewer: Viewer): Promise<void>;
  /** Whether plugins are being started, so that what is missing now may be there soon. Since 1.1. */
  areStarting(): Promise<boolean>;
  /** Calls the listener when a plugin was installed, removed, started or stopped. */
  onChanged(listener: () => void): Releasable;
}

/** The plugins of the server, for plugins that manage a kind of plugin. Provided by the kernel itself. */
export const KernelPlugins = contract<KernelPlugins>("kernel.plugins", "1.1.0");
