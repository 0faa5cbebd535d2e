import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { PluginPackage } from "@longbox/sdk/manifest";
import semver from "semver";
import { chooseVersion, newestCompatible } from "./choosing.js";
import { Consent } from "../consent/consent.js";
import type { Introduction } from "../consent/introduction.js";
import { fetchTarball } from "./fetching.js";
import { knownIntegrity, LockFile, type KeptVersion } from "../installed/lock-file.js";
import { packageLimits, type PackageLimits } from "./package-limits.js";
import { readPluginPackage, type PluginOnDisk } from "./plugin-package.js";
import { PackageRefused } from "./refusals.js";
import { type PublishedVersion, RegistryClient } from "./registry-client.js";
import { PluginStore } from "./store.js";
import { UnpackingThreads } from "./unpacking-threads.js";
import { Isolation } from "../isolated/isolation.js";
import { examineFiles } from "../examining/package-files.js";
import { refuseMistakes, type Mistake } from "../examining/mistakes.js";
import { inject, injectable } from "../../injection.js";
import { translateStorageFault } from "../../storage/storage-fault.js";
import { SdkVersion } from "../../kernel-tokens.js";
import { PluginHostTuning } from "../host-tuning.js";

const keyword = "longbox-plugin";

/** A package in the store, checked and tried, that nothing refers to yet. */
export interface PreparedPlugin {
  readonly plugin: PluginOnDisk;
  readonly kept: KeptVersion;
  /** Mistakes of its author that do not keep it from running. */
  readonly warnings: readonly Mistake[];
  /** What an administrator could see of it before; undefined for a version that was here already. */
  readonly introduction?: Introduction;
}

/** A package to prepare, optionally in an exact version and with a known integrity. */
export interface PackageRequest {
  readonly package: string;
  readonly version?: string | undefined;
  readonly integrity?: string | undefined;
  /** What it asks for is accepted. */
  readonly accept?: boolean | undefined;
}

/** A package of an author that could be installed. */
export interface ExaminedTarball {
  readonly plugin: PluginOnDisk;
  /** Its package.json. */
  readonly description: PluginPackage;
  readonly warnings: readonly Mistake[];
}

/** A version, with the integrity that the registry states for it. */
export interface ChosenVersion {
  readonly published: PublishedVersion;
  /** When the registry says that it was published. */
  readonly publishedAt: string | undefined;
  readonly integrity: string;
  /** The newest version of the package that is written for this server's SDK, as far as the registry can tell. */
  readonly newestCompatible?: string | undefined;
}

/** A checked package in a staging folder. */
interface UnpackedPlugin {
  readonly plugin: PluginOnDisk;
  readonly hash: string;
}

/** Takes packages from the registry into the store. Nothing of a package runs in the kernel's process. */
@injectable()
export class Preparing {
  readonly #registry: RegistryClient;
  readonly #store: PluginStore;
  readonly #sdkVersion: string;
  readonly #lock: LockFile;
  readonly #limits: PackageLimits;
  readonly #consent: Consent;
  readonly #isolation: Isolation;
  readonly #threads: UnpackingThreads;
  readonly #underWay = new Map<string, Promise<PreparedPlugin>>();

  constructor(
    @inject(RegistryClient) registry: RegistryClient,
    @inject(PluginStore) store: PluginStore,
    @inject(LockFile) lock: LockFile,
    @inject(SdkVersion) sdkVersion: string,
    @inject(PluginHostTuning) tuning: PluginHostTuning,
    @inject(Consent) consent: Consent,
    @inject(Isolation) isolation: Isolation,
    @inject(UnpackingThreads) threads: UnpackingThreads,
  ) {
    this.#threads = threads;
    this.#isolation = isolation;
    this.#consent = consent;
    this.#limits = { ...packageLimits, ...tuning.packages };
    this.#registry = registry;
    this.#store = store;
    this.#sdkVersion = sdkVersion;
    this.#lock = lock;
  }

  /** Chooses the version that a request means, with the integrity that the registry states for it. */
  async choose(request: PackageRequest): Promise<ChosenVersion> {
    const packument = await this.#registry.packument(request.package);
    const published = chooseVersion(packument, request.version, this.#sdkVersion);
    const integrity = published.dist.integrity;
    if (integrity === undefined)
      throw new PackageRefused(
        "kernel/no-integrity",
        `The registry does not say what "${request.package}" ${published.version} must hash to.`,
      );
    const known = knownIntegrity(this.#lock.read(), request.package, published.version) ?? integrity;
    if (known !== integrity)
      throw new PackageRefused(
        "kernel/integrity-changed",
        `The registry offers other bytes for "${request.package}" ${published.version} than were installed.`,
        { details: { installed: known, offered: integrity } },
      );
    if (request.integrity !== undefined && request.integrity !== integrity)
      throw new PackageRefused(
        "kernel/integrity-mismatch",
        `The registry's "${request.package}" ${published.version} is not the one that was asked for.`,
        { details: { asked: request.integrity, offered: integrity } },
      );
    return {
      published,
      integrity,
      publishedAt: packument.time?.[published.version],
      newestCompatible: newestCompatible(packument, this.#sdkVersion),
    };
  }

  /**
   * Fetches, unpacks, checks and tries the chosen version, and keeps it in the store. Concurrent requests for the same
   * version share the work.
   */
  prepare(request: PackageRequest, chosen: ChosenVersion): Promise<PreparedPlugin> {
    const key = `${request.package} ${chosen.published.version} ${chosen.integrity} ${request.accept === true}`;
    let work = this.#underWay.get(key);
    if (work) return work;
    work = this.#fetch(request, chosen, (unpacked) => this.#keep(unpacked, request, chosen)).finally(() =>
      this.#underWay.delete(key),
    );
    this.#underWay.set(key, work);
    return work;
  }

  /** Fetches, unpacks and checks the chosen version, and keeps nothing. None of its code runs. */
  introduce(request: PackageRequest, chosen: ChosenVersion): Promise<Introduction> {
    return this.#fetch(request, chosen, ({ plugin }) => this.#consent.introduce(plugin, chosen));
  }

  async #keep(
    { plugin, hash }: UnpackedPlugin,
    request: PackageRequest,
    chosen: ChosenVersion,
  ): Promise<PreparedPlugin> {
    const introduction = await this.#consent.introduce(plugin, chosen);
    this.#consent.require(plugin, introduction, request.accept === true);
    const warnings = await this.#examine(plugin);
    const folder = this.#store.folderName(plugin.id, plugin.version, hash);
    await this.#store.keep(plugin.folder, folder);
    const kept: KeptVersion = { version: plugin.version, integrity: chosen.integrity, folder };
    return { plugin: await this.#store.placed(plugin, folder), kept, warnings, introduction };
  }

  /**
   * Unpacks a package that is not in the registry yet, and examines its files. Nothing of it is kept, and none of its
   * code runs: an administrator has not accepted it.
   * @param allows - throws for a package whose name or version is refused
   * @throws {PackageRefused | PluginMistakes} when it could not be installed
   */
  async examineTarball(tarball: Uint8Array, allows: (plugin: PluginOnDisk) => void): Promise<ExaminedTarball> {
    const stage = await this.#store.stage();
    try {
      const file = path.join(stage.folder, "package.tgz");
      await writeFile(file, tarball, { mode: 0o600 });
      const folder = await this.#unpack(stage.folder, file);
      const plugin = await readPluginPackage(folder, { hash: "published", linked: false }, { keyword });
      allows(plugin);
      this.#checkSdk(plugin);
      const warnings = await this.#examineFiles(plugin);
      const text = await readFile(path.join(folder, "package.json"), "utf8");
      // As it is written, without the defaults of the schema that it has been checked with.
      return { plugin, description: JSON.parse(text) as PluginPackage, warnings };
    } finally {
      await stage.discard();
    }
  }

  async #unpack(stage: string, tarball: string): Promise<string> {
    const folder = path.join(stage, "package");
    await mkdir(folder);
    await this.#threads.unpack({ tarball, folder, limits: this.#limits });
    return folder;
  }

  async #fetch<T>(
    request: PackageRequest,
    chosen: ChosenVersion,
    use: (unpacked: UnpackedPlugin) => Promise<T>,
  ): Promise<T> {
    const stage = await this.#store.stage();
    try {
      const stream = await this.#registry.tarball(chosen.published.dist.tarball);
      const tarball = await fetchTarball(stream, path.join(stage.folder, "package.tgz"), {
        integrity: chosen.integrity,
        maxBytes: this.#limits.tarballBytes,
      });
      const unpacked = await this.#unpack(stage.folder, tarball.file);
      const plugin = await this.#check({ folder: unpacked, hash: tarball.hash }, request, chosen);
      return await use({ plugin, hash: tarball.hash });
    } catch (fault) {
      throw translateStorageFault(fault, stage.folder);
    } finally {
      await stage.discard();
    }
  }

  async #check(
    { folder, hash }: { readonly folder: string; readonly hash: string },
    request: PackageRequest,
    { published: { version }, newestCompatible: other }: ChosenVersion,
  ): Promise<PluginOnDisk> {
    const plugin = await readPluginPackage(folder, { hash, linked: false }, { keyword });
    if (plugin.package !== request.package || plugin.version !== version) {
      throw new PackageRefused(
        "kernel/wrong-package",
        `The registry sent "${plugin.package}" ${plugin.version} when asked for "${request.package}" ${version}.`,
      );
    }
    this.#checkSdk(plugin, other === version ? undefined : other);
    return plugin;
  }

  /** @param other - the newest version of the package that would fit */
  #checkSdk({ package: name, version, manifest }: PluginOnDisk, other?: string): void {
    if (semver.satisfies(this.#sdkVersion, manifest.sdk, { includePrerelease: true })) return;
    throw new PackageRefused(
      "kernel/sdk-too-different",
      `"${name}" ${version} is written for the SDK ${manifest.sdk}; this is ${this.#sdkVersion}.${other === undefined ? "" : ` Version ${other} fits.`}`,
      { details: { required: manifest.sdk, actual: this.#sdkVersion, newestCompatible: other } },
    );
  }

  /** @returns what the author should change. @throws {PluginMistakes} */
  async #examineFiles({ id, folder, entry }: PluginOnDisk): Promise<Mistake[]> {
    const inFiles = await examineFiles({ folder, entry, sdkVersion: this.#sdkVersion });
    refuseMistakes(id, inFiles);
    return inFiles;
  }

  /** Also imports its code. @returns what the author should change. @throws {PluginMistakes} */
  async #examine(plugin: PluginOnDisk): Promise<Mistake[]> {
    const inFiles = await this.#examineFiles(plugin);
    const mistakes = await this.#isolation.try(plugin, this.#limits.trialMs);
    refuseMistakes(plugin.id, mistakes);
    return [...inFiles, ...mistakes];
  }
}
