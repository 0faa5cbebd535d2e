import { contract } from "../token.js";

/** One kept backup. */
export interface KernelBackup {
  /** The file's name in the backups folder. */
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly sizeBytes: number;
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
}

/** Provided by the kernel itself, so it is always available. */
export const KernelBackups = contract<KernelBackupsContract>("kernel.backups", "1.0.0");
