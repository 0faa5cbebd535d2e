import { within, type Logger } from "@longbox/sdk";
import { z } from "zod";
import { manifestSchema } from "@longbox/sdk/manifest";
import semver from "semver";
import { newest } from "./choosing.js";
import { PluginHostTuning } from "../host-tuning.js";
import { packageLimits } from "./package-limits.js";
import type { PluginOnDisk } from "./plugin-package.js";
import { type Packument, RegistryClient } from "./registry-client.js";
import { inject, injectable, token } from "../../injection.js";
import { SdkVersion } from "../../kernel-tokens.js";
import { Logs } from "../../logging/logs.js";

const itemSchema = z.object({
  name: z.string(),
  package: z.string(),
  title: z.string(),
  description: z.string(),
  version: z.string(),
  keywords: z.array(z.string()).default([]),
  sdk: z.string(),
  deprecated: z.string().optional(),
  publishedAt: z.string().optional(),
});
export const keptCatalogSchema = z.object({ fetchedAt: z.string().optional(), items: z.array(itemSchema).default([]) });
export type KeptCatalog = z.output<typeof keptCatalogSchema>;
type Item = z.output<typeof itemSchema>;

export const catalogRowSchema = z
  .object({
    name: z.string(),
    package: z.string(),
    title: z.string(),
    description: z.string(),
    version: z.string(),
    keywords: z.array(z.string()),
    installed: z.string().optional(),
    updateAvailable: z.boolean(),
    compatible: z.boolean(),
    reason: z.string().optional(),
    /** Why its author advises against this version. */
    deprecated: z.string().optional(),
    publishedAt: z.string().optional(),
    /** The registry did not answer; this is what it said last. */
    stale: z.boolean().optional(),
  })
  .meta({ id: "CatalogPlugin" });
export type CatalogRow = z.output<typeof catalogRowSchema>;

/** The last answer of the registry, kept over restarts. */
export interface CatalogDocument {
  read(): KeptCatalog;
  update(change: (current: KeptCatalog) => KeptCatalog): Promise<KeptCatalog>;
}
export const CatalogDocument = token<CatalogDocument>("the kept catalog");

const keyword = "longbox-plugin";
/** A registry cannot be trusted to limit its answers. */
const mostPackages = 1_000;
const packagesAtOnce = 8;

/** The packages of the registry, or those of its last answer when it does not answer. */
@injectable()
export class Catalog {
  readonly #registry: RegistryClient;
  readonly #kept: CatalogDocument;
  readonly #sdkVersion: string;

  readonly #log: Logger;
  readonly #limitMs: number;
  #refreshing: Promise<boolean> | undefined;

  constructor(
    @inject(RegistryClient) registry: RegistryClient,
    @inject(CatalogDocument) kept: CatalogDocument,
    @inject(SdkVersion) sdkVersion: string,
    @inject(Logs) logs: Logs,
    @inject(PluginHostTuning) tuning: PluginHostTuning,
  ) {
    this.#limitMs = { ...packageLimits, ...tuning.packages }.catalogMs;
    this.#log = logs.logger("plugins");
    this.#registry = registry;
    this.#kept = kept;
    this.#sdkVersion = sdkVersion;
  }

  /** Asks the registry, and marks the rows stale when it does not answer. */
  async rows(installed: (id: string) => PluginOnDisk | undefined): Promise<CatalogRow[]> {
    const stale = !(await this.#refresh());
    return this.#kept.read().items.map((item) => this.#row(item, installed(item.name), stale));
  }

  /** The newer version that was on offer when the catalog was last read. */
  updateOf(plugin: PluginOnDisk): string | undefined {
    const item = this.#kept.read().items.find((known) => known.package === plugin.package);
    return item && semver.gt(item.version, plugin.version) ? item.version : undefined;
  }

  /** Requests arriving meanwhile share the answer. A slow lookup continues, for the next request. */
  async #refresh(): Promise<boolean> {
    this.#refreshing ??= this.#readRegistry().finally(() => (this.#refreshing = undefined));
    const late = () => new Error(`The registry takes longer than ${this.#limitMs} ms.`);
    try {
      return await within(this.#refreshing, { limitMs: this.#limitMs, failure: late });
    } catch (failure) {
      this.#log.warn("The catalog is still being read; it shows what the registry said last.", {
        failure: String(failure),
      });
      return false;
    }
  }

  async #readRegistry(): Promise<boolean> {
    try {
      const names = new Set((await this.#registry.search(keyword)).slice(0, mostPackages)).values();
      const items: Item[] = [];
      await Promise.all(Array.from({ length: packagesAtOnce }, () => this.#collect(names, items)));
      await this.#kept.update(() => ({
        fetchedAt: new Date().toISOString(),
        items: items.sort((a, b) => (a.name < b.name ? -1 : 1)),
      }));
      return true;
    } catch (failure) {
      this.#log.warn("The registry does not answer; the catalog shows what it said last.", {
        failure: String(failure),
      });
      return false;
    }
  }

  /** Takes names from an iterator that several workers share, until none is left. */
  async #collect(names: Iterator<string>, items: Item[]): Promise<void> {
    for (let next = names.next(); !next.done; next = names.next()) {
      // A package that cannot be read is left out of the catalog; installing it says why.
      const packument = await this.#registry.packument(next.value).catch(() => undefined);
      const item = packument && itemOf(packument, this.#sdkVersion);
      if (item) items.push(item);
    }
  }

  #row({ sdk, ...item }: Item, installed: PluginOnDisk | undefined, stale: boolean): CatalogRow {
    const compatible = semver.satisfies(this.#sdkVersion, sdk, { includePrerelease: true });
    return {
      ...item,
      ...(installed ? { installed: installed.version } : {}),
      updateAvailable: installed !== undefined && semver.gt(item.version, installed.version),
      compatible,
      ...(compatible ? {} : { reason: `It is written for the SDK ${sdk}; this is ${this.#sdkVersion}.` }),
      ...(stale ? { stale: true } : {}),
    };
  }
}

function itemOf(packument: Packument, sdkVersion: string): Item | undefined {
  const version = newest(packument, sdkVersion);
  const published = version === undefined ? undefined : packument.versions[version];
  const manifest = manifestSchema.safeParse(published?.longbox);
  if (!published || !manifest.success) return undefined;
  const { id, title, description, sdk } = manifest.data;
  const { version: found, keywords = [] } = published;
  const publishedAt = packument.time?.[found];
  const item = { name: id, package: packument.name, title, description, version: found, keywords: [...keywords], sdk };
  return {
    ...item,
    ...(published.deprecated && { deprecated: published.deprecated }),
    ...(publishedAt !== undefined && { publishedAt }),
  };
}
