import { inject, injectable } from "../../injection.js";
import { ServerSettingsSource } from "../../access/server-settings.js";
import { Fleet } from "../installed/fleet.js";
import { Inventory } from "../installed/inventory.js";
import { checkAgainst } from "../installed/policy.js";
import { Isolation } from "../isolated/isolation.js";
import { isHousePackage } from "../packages/package-names.js";
import type { PluginOnDisk } from "../packages/plugin-package.js";
import { PackageRefused } from "../packages/refusals.js";
import { publishedByOf } from "../packages/registry-client.js";
import { asksOf, newAsks, type Ask } from "./asks.js";
import { readChanges } from "./changes.js";
import { NeedsConsent, type Introduction } from "./introduction.js";
import { Signatures, type Offered, type PackageChecks } from "./signatures.js";

/** Decides whether an administrator must confirm a package before any of its code runs. */
@injectable()
export class Consent {
  constructor(
    @inject(Fleet) private readonly fleet: Fleet,
    @inject(Inventory) private readonly inventory: Inventory,
    @inject(Signatures) private readonly signatures: Signatures,
    @inject(ServerSettingsSource) private readonly server: ServerSettingsSource,
    @inject(Isolation) private readonly isolation: Isolation,
  ) {}

  /**
   * Introduces an unpacked package, of which nothing has run.
   * @throws {PackageRefused} `kernel/signature-invalid`, `kernel/signature-required`, `kernel/provenance-invalid`,
   *   `kernel/provenance-required`
   */
  async introduce(plugin: PluginOnDisk, offered: Offered): Promise<Introduction> {
    const { published } = offered;
    const isFromThisHouse = isHousePackage(plugin.package);
    const checks = await this.signatures.check(offered);
    if (!isFromThisHouse) this.#requireChecks(plugin, checks);
    const installed = this.inventory.byPackage(plugin.package)?.plugin;
    const publishedBy = publishedByOf(published);
    const asks = [
      ...this.#asksOfAccount(plugin, publishedBy),
      ...this.#asksOfSource(plugin, checks),
      ...newAsks(this.#asksOf(plugin), installed ? this.#asksOf(installed) : []),
    ];
    const changes = await readChanges(plugin.folder, { since: installed?.version, version: plugin.version });
    const { id: name, package: packageName, version, manifest } = plugin;
    return {
      name,
      package: packageName,
      version,
      title: manifest.title,
      description: manifest.description,
      ...(installed && { installed: installed.version }),
      ...(publishedBy !== undefined && { publishedBy }),
      isFromThisHouse,
      integrity: published.dist.integrity ?? "",
      checks,
      asks,
      needsConsent: !isFromThisHouse && asks.length > 0,
      ...(published.deprecated && { deprecated: published.deprecated }),
      ...(changes !== undefined && { changes }),
    };
  }

  /** @throws {NeedsConsent} unless nothing is asked for, or it has been accepted */
  require(plugin: PluginOnDisk, introduction: Introduction, accepted: boolean): void {
    if (accepted || !introduction.needsConsent) return;
    // What will be refused anyway needs no question before.
    checkAgainst(this.fleet, plugin, this.inventory.owners);
    throw new NeedsConsent(introduction);
  }

  #requireChecks({ package: name, version }: PluginOnDisk, { signature, provenance }: PackageChecks): void {
    const { pluginSignatures, pluginProvenance } = this.server.current;
    if (pluginSignatures && signature !== "verified")
      throw new PackageRefused(
        "kernel/signature-required",
        `This server only installs signed packages, and "${name}" ${version} has no signature that could be verified.`,
        { details: { signature } },
      );
    if (pluginProvenance && provenance !== "verified")
      throw new PackageRefused(
        "kernel/provenance-required",
        `This server only installs packages whose origin is proven, and that of "${name}" ${version} could not be verified.`,
        { details: { provenance } },
      );
  }

  /** A version that gives up its own process asks for the server's rights. */
  #asksOf(plugin: PluginOnDisk): Ask[] {
    return asksOf(plugin.manifest, this.isolation.of(plugin).mode === "process" ? "process" : "server");
  }

  /** Another source than that of the version before, or one that is not proven any more, has to be confirmed. */
  #asksOfSource(plugin: PluginOnDisk, { builtFrom }: PackageChecks): Ask[] {
    const before = this.inventory.owners.find((known) => known.package === plugin.package)?.builtFrom;
    if (before === undefined || before === builtFrom?.repository) return [];
    const now = builtFrom === undefined ? "its origin is not proven" : `it is built from ${builtFrom.repository}`;
    const text = `So far it was built from ${before}; now ${now}.`;
    return [{ kind: "built-from", name: builtFrom?.repository ?? "", detail: before, text }];
  }

  /** The first account that publishes it is part of the first confirmation; another one has to be confirmed again. */
  #asksOfAccount(plugin: PluginOnDisk, publishedBy: string | undefined): Ask[] {
    const owner = this.inventory.owners.find((known) => known.package === plugin.package);
    const isInstalled = this.inventory.byPackage(plugin.package) !== undefined;
    if (owner === undefined || owner.publishedBy === publishedBy) {
      if (isInstalled || publishedBy === undefined) return [];
      return [{ kind: "published-by", name: publishedBy, text: `It is published by ${publishedBy}.` }];
    }
    const before = owner.publishedBy ?? "an account that the registry did not name";
    const now = publishedBy ?? "an account that the registry does not name";
    const text = `It is published by ${now}; so far it was published by ${before}.`;
    return [{ kind: "published-by", name: publishedBy ?? "", detail: before, text }];
  }
}
