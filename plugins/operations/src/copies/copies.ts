// Copies of backups outside of the data folder: made, checked, listed, dropped, and brought back.
import { Readable } from "node:stream";
import { LongboxError, NotFound, type Fetch, type KernelBackup, type KernelBackupsContract } from "@longbox/sdk";
import type { OperationsSettings } from "../settings.js";
import { CopyPlaceUnusable, NoCopyPlace } from "../errors.js";
import { FolderTarget } from "./folder-target.js";
import { S3Target } from "./s3-target.js";
import { outdated, type Copy, type CopyTarget } from "./target.js";

export interface CopiesParts {
  readonly backups: KernelBackupsContract;
  readonly settings: { readonly current: OperationsSettings };
  readonly fetcher: Fetch;
}

/** The last attempt to copy a backup since the server started. */
export interface LastCopy {
  readonly name: string;
  /** What went wrong, for people. */
  readonly problem: string | undefined;
}

/** The place for copies that the settings name, and what is there. */
export class Copies {
  readonly #parts: CopiesParts;
  #last: LastCopy | undefined;

  constructor(parts: CopiesParts) {
    this.#parts = parts;
  }

  /** Whether the settings name a place. */
  get isOn(): boolean {
    return this.#parts.settings.current.copyTo !== "none";
  }

  get last(): LastCopy | undefined {
    return this.#last;
  }

  /** The newest first. @throws {LongboxError} `operations/no-copy-place`, or what the place refuses with */
  async list(): Promise<Copy[]> {
    return this.#target().list();
  }

  /**
   * Copies a kept backup, reads the copy back and restores it for a trial, and then drops copies that are no longer to
   * be kept.
   * @returns the place, for people
   * @throws {LongboxError} what the place refuses with; a copy that cannot be restored is removed
   */
  async add(backup: KernelBackup): Promise<string> {
    try {
      const place = await this.#add(backup.name);
      this.#last = { name: backup.name, problem: undefined };
      return place;
    } catch (fault) {
      this.#last = { name: backup.name, problem: fault instanceof Error ? fault.message : String(fault) };
      throw fault;
    }
  }

  /** Puts a copy among the kept backups, from where it can be restored. */
  async bringBack(name: string): Promise<KernelBackup> {
    const target = this.#target();
    if (!(await target.list()).some((copy) => copy.name === name))
      throw new NotFound("operations/no-such-copy", `There is no copy ${name}.`, { name });
    return this.#parts.backups.take(await target.read(name), this.#sealing());
  }

  /** Writes, lists, reads and removes a small file with settings that may not be saved yet. @throws as {@link add} */
  async try(settings: OperationsSettings): Promise<string> {
    const target = this.#target(settings);
    const name = `longbox-${new Date().toISOString().replaceAll(/[:.]/g, "-")}.tar.gz`;
    await target.put(name, Readable.from([Buffer.from("A trial of the settings.")]));
    try {
      if (!(await target.list()).some((copy) => copy.name === name))
        throw new LongboxError("upstream", "operations/copy-lost", "What was written is not listed.");
      for await (const _ of await target.read(name));
    } finally {
      await target.remove(name);
    }
    return target.title;
  }

  async #add(name: string): Promise<string> {
    const [target, sealing, { backups }] = [this.#target(), this.#sealing(), this.#parts];
    const copy = sealing.passphrase ? `${name}.age` : name;
    await target.put(copy, await backups.read(name, sealing));
    try {
      await backups.checkContent(await target.read(copy), sealing);
    } catch (fault) {
      await target.remove(copy);
      throw fault;
    }
    const { copyKeep: count, copyKeepDays: days } = this.#parts.settings.current;
    for (const old of outdated(await target.list(), { count, days })) await target.remove(old.name);
    return target.title;
  }

  #sealing() {
    return { passphrase: this.#parts.settings.current.copyPassphrase };
  }

  #target(settings = this.#parts.settings.current): CopyTarget {
    if (settings.copyTo === "none") throw new NoCopyPlace();
    if (settings.copyTo === "folder") return new FolderTarget(settings.copyFolder);
    for (const key of ["s3Url", "s3Bucket", "s3KeyId", "s3Secret"] as const)
      if (!settings[key]) throw new CopyPlaceUnusable(key, "is needed");
    const {
      s3Url: url,
      s3Region: region,
      s3Bucket: bucket,
      s3Prefix: prefix,
      s3KeyId: keyId,
      s3Secret: secret,
    } = settings;
    return new S3Target({ url, region, bucket, prefix, keyId, secret }, this.#parts.fetcher);
  }
}
