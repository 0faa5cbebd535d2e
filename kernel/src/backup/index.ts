// What the rest of the kernel uses of backups.
export { BackupNotFound } from "./backup-errors.js";
export { backupName, backupRoutes } from "./backup-routes.js";
export { backupSettings } from "./backup-settings.js";
export type { BackupSettings } from "./backup-settings.js";
export { BackupExchange, unsealed } from "./exchange.js";
export { BackupUpload } from "./uploads.js";
export { Backups, BackupsOptions } from "./backups.js";
export type { Backup } from "./backups.js";
export { moveInstallation } from "./moving.js";
export { backUpFolder } from "./folder-backup.js";
export { restoreBackup } from "./restoring.js";
export { finishRestore } from "./restoring-at-start.js";
export type { BackupManifest } from "./backup-manifest.js";
export { outdated } from "./keeping.js";
