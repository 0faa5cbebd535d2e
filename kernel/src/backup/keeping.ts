// Which backups are no longer to be kept.
import type { BackupSettings } from "./backup-settings.js";

const dayMs = 86_400_000;

/**
 * Those beyond the number and the age that the settings name. The newest is never among them: a server that was off for
 * a year has an old backup, and still needs it.
 * @param backups - The newest first
 */
export function outdated<B extends { readonly createdAt: string }>(
  backups: readonly B[],
  { keep, keepDays }: Pick<BackupSettings, "keep" | "keepDays">,
  now = Date.now(),
): B[] {
  const oldest = keepDays === 0 ? -Infinity : now - keepDays * dayMs;
  return backups.filter((backup, place) => place > 0 && (place >= keep || Date.parse(backup.createdAt) < oldest));
}
