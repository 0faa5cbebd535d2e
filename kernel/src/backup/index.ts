export { backupRoutes } from "./backup-routes.js";
export { backupSettings } from "./backup-settings.js";
export type { BackupSettings } from "./backup-settings.js";
export { Backups, BackupsOptions } from "./backups.js";
export type { Backup } from "./backups.js";
export { backUpFolder } from "./folder-backup.js";
export { restoreBackup } from "./restoring.js";
export type { BackupManifest } from "./backup-manifest.js";
