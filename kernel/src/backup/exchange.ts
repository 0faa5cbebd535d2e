// Backups that leave the data folder, encrypted if wanted, and such that come back into it.
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { BadInput, isLongboxError } from "@longbox/sdk";
import { syncPath, TemporaryPlaces, translateStorageFault } from "../storage/index.js";
import type { BackupManifest } from "./backup-manifest.js";
import { inject, injectable } from "../injection.js";
import { DataFolder } from "../kernel-tokens.js";
import { Backups, type Backup } from "./backups.js";
import { publish } from "./packing.js";
import { damaged, restoreBackup } from "./restoring.js";
import { isSealed, seal, unseal } from "./sealing.js";

/** How a backup is encrypted, if it is. */
export interface Sealing {
  readonly passphrase?: string | undefined;
}

/** Reads kept backups for a place elsewhere, and takes them back. */
@injectable()
export class BackupExchange {
  readonly #folder: string;
  readonly #backups: Backups;

  constructor(@inject(DataFolder) folder: string, @inject(Backups) backups: Backups) {
    this.#folder = folder;
    this.#backups = backups;
  }

  /** The bytes of a kept backup, encrypted when a passphrase is given. @throws {BackupNotFound} */
  async read(name: string, { passphrase }: Sealing = {}): Promise<AsyncIterable<Uint8Array>> {
    const backup = await this.#backups.get(name);
    const content = createReadStream(join(this.#backups.folder, backup.name), { highWaterMark: 1_048_576 });
    return passphrase ? seal(content, passphrase) : content;
  }

  /**
   * Restores content from elsewhere for a trial, and changes nothing.
   * @throws {LongboxError} `kernel/backup-damaged`, `kernel/backup-passphrase-needed`,
   * `kernel/backup-passphrase-wrong`, `kernel/storage-full`
   */
  check(content: AsyncIterable<Uint8Array>, sealing: Sealing = {}): Promise<BackupManifest> {
    return this.#received(content, sealing, async ({ manifest }) => manifest);
  }

  /**
   * Puts content from elsewhere among the kept backups, once it has been restored for a trial.
   * @throws as {@link check}
   */
  take(content: AsyncIterable<Uint8Array>, sealing: Sealing = {}): Promise<Backup> {
    return this.#received(content, sealing, async ({ manifest, archive }) => {
      const made = new Date(manifest.createdAt);
      const name = `longbox-${made.toISOString().replaceAll(/[:.]/g, "-")}.tar.gz`;
      await utimes(archive, made, made);
      await publish(archive, join(this.#backups.folder, name));
      return this.#backups.get(name);
    });
  }

  async #received<T>(
    content: AsyncIterable<Uint8Array>,
    sealing: Sealing,
    use: (received: { readonly archive: string; readonly manifest: BackupManifest }) => Promise<T>,
  ): Promise<T> {
    await mkdir(this.#backups.folder, { recursive: true, mode: 0o700 });
    const place = await new TemporaryPlaces(this.#folder).beside(join(this.#backups.folder, "arriving"));
    try {
      await mkdir(place.path, { mode: 0o700 });
      const arrived = join(place.path, "arrived");
      await keep(content, arrived);
      const archive = await unsealed(arrived, join(place.path, "plain"), sealing);
      return await use({ archive, manifest: await restoreBackup(archive, join(place.path, "trial")) });
    } catch (fault) {
      throw translateStorageFault(fault, place.path);
    } finally {
      await place.release();
    }
  }
}

/**
 * The plain archive of a file that may be encrypted: the file itself, or `plain`, which is written then.
 * @throws as {@link BackupExchange.check}
 */
export async function unsealed(file: string, plain: string, { passphrase }: Sealing): Promise<string> {
  if (!(await isSealed(file))) return file;
  if (!passphrase)
    throw new BadInput("kernel/backup-passphrase-needed", "The backup is encrypted: its passphrase is needed.", {
      passphrase: "is needed",
    });
  try {
    await keep(await unseal(createReadStream(file), passphrase), plain);
  } catch (fault) {
    await rm(plain, { force: true });
    const full = translateStorageFault(fault, plain);
    throw isLongboxError(full) ? full : damaged(`It cannot be decrypted: ${String(fault)}`, fault);
  }
  return plain;
}

async function keep(content: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  await pipeline(content, createWriteStream(path, { mode: 0o600, flags: "wx" }));
  await syncPath(path);
}
