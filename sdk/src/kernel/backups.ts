import { contract } from "../token.js";

/** One kept backup. */
export interface KernelBackup {
  /** The file's name in the backups folder. */
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly sizeBytes: number;
}

/** How a backup is encrypted outside of the data folder. */
export interface BackupSealing {
  /** In the age format, which the program `age` reads, too. Left out or empty: not encrypted. */
  readonly passphrase?: string | undefined;
}

/** What a backup says of itself. */
export interface CheckedBackup {
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** The server's version. */
  readonly version: string;
}

/** Backups of everything that the server keeps. */
export interface KernelBackupsContract {
  /**
   * Makes a backup while the server runs, and deletes the oldest ones beyond the configured number.
   * @throws {Conflict} `kernel/backup-running` while another is being made
   */
  create(): Promise<KernelBackup>;
  /** The newest first. */
  list(): Promise<readonly KernelBackup[]>;
  /** Restores a kept backup for a trial. @throws {BadInput} `kernel/backup-damaged`, `kernel/backup-not-found` */
  check(name: string): Promise<CheckedBackup>;
  /** The bytes of a kept backup, as they come. @throws {NotFound} `kernel/backup-not-found` */
  read(name: string, sealing?: BackupSealing): Promise<AsyncIterable<Uint8Array>>;
  /**
   * Restores the bytes of a backup that is kept elsewhere for a trial, and changes nothing.
   * @throws {BadInput} `kernel/backup-damaged`, `kernel/backup-passphrase-needed`, `kernel/backup-passphrase-wrong`
   */
  checkContent(content: AsyncIterable<Uint8Array>, sealing?: BackupSealing): Promise<CheckedBackup>;
  /** Puts such bytes among the kept backups, once they have been restored for a trial. @throws as `checkContent` */
  take(content: AsyncIterable<Uint8Array>, sealing?: BackupSealing): Promise<KernelBackup>;
}

/** Backups of everything that the server keeps. Provided by the kernel itself. */
export const KernelBackups = contract<KernelBackupsContract>("kernel.backups", "1.1.0");
