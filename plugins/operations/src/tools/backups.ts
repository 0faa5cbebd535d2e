// Backups by the clock and by hand, with their copies, and what tells when they are missing.
import type { KernelBackupsContract } from "@longbox/sdk";
import type { Copies } from "../copies/copies.js";
import type { HealthCheck, HealthFinding, Schedule, Tool } from "../contract.js";
import { sizeOf } from "./sizes.js";

/** A server that has run for so long without a backup should hear of it. */
const oldDays = 8;
const dayMs = 86_400_000;

/** Makes a backup every night. */
export function backupSchedule(backups: KernelBackupsContract, copies: Copies): Schedule {
  return {
    key: "operations.backup",
    title: "Backup",
    description:
      "Writes a backup of everything the server keeps, copies it to where the settings say, and drops those that are no longer to be kept",
    cron: "30 3 * * *",
    enabled: true,
    run: () => makeBackup(backups, copies),
  };
}

/** Makes a backup on request. */
export function backupTool(backups: KernelBackupsContract, copies: Copies): Tool {
  return {
    id: "backup",
    title: "Back up now",
    description: "Writes a backup of everything the server keeps",
    touchesFiles: false,
    run: () => makeBackup(backups, copies),
  };
}

/**
 * Says when the newest backup is old.
 * @param startedAtMs - When the data began: a new server has none yet, and that is all right
 */
export function backupCheck(backups: KernelBackupsContract, startedAtMs: number): HealthCheck {
  return {
    async check() {
      const newest = (await backups.list())[0];
      const days = Math.floor((Date.now() - (newest ? Date.parse(newest.createdAt) : startedAtMs)) / dayMs);
      return [finding(newest !== undefined, days)];
    },
  };
}

function finding(made: boolean, days: number): HealthFinding {
  const old = days >= oldDays;
  const age = days === 0 ? "is less than a day old" : days === 1 ? "is a day old" : `is ${days} days old`;
  const what = made ? `The newest backup ${age}` : "There is no backup yet";
  return {
    id: "operations.backup",
    title: "Backups",
    level: old ? "warning" : "ok",
    ...(old && { link: { label: "Open the backups", path: "/operations/backups" } }),
    advice: old ? `${what}: make one, and see whether its schedule is switched on.` : `${what}.`,
  };
}

/** Says that the last backup could not be copied. Without a place for copies, it says nothing. */
export function copyCheck(copies: Copies): HealthCheck {
  return {
    async check() {
      if (!copies.isOn) return [];
      const problem = copies.last?.problem;
      return [
        {
          id: "operations.backup-copies",
          title: "Copies of backups",
          level: problem === undefined ? "ok" : "error",
          ...(problem !== undefined && { link: { label: "Open the settings", path: "/settings#operations" } }),
          advice: problem === undefined ? copied(copies) : `The last backup was not copied. ${problem}`,
        },
      ];
    },
  };
}

function copied(copies: Copies): string {
  return copies.last ? "The last backup was copied, and the copy can be restored." : "The next backup will be copied.";
}

/**
 * Makes a backup and copies it. A backup that cannot be copied is kept all the same, and the job says what went wrong.
 */
async function makeBackup(backups: KernelBackupsContract, copies: Copies): Promise<string> {
  const backup = await backups.create();
  const made = `${backup.name}, ${sizeOf(backup.sizeBytes)}`;
  return copies.isOn ? `${made}, copied to ${await copies.add(backup)}` : made;
}
