import type { KernelBackupsContract } from "@longbox/sdk";
import type { HealthCheck, HealthFinding, Schedule, Tool } from "../contract.js";
import { sizeOf } from "./sizes.js";

/** A server that has run for so long without a backup should hear of it. */
const oldDays = 8;
const dayMs = 86_400_000;

/** Makes a backup every night. */
export function backupSchedule(backups: KernelBackupsContract): Schedule {
  return {
    key: "operations.backup",
    title: "Backup",
    description: "Writes a backup of everything the server keeps, and drops the oldest beyond the number to be kept",
    cron: "30 3 * * *",
    enabled: true,
    run: () => makeBackup(backups),
  };
}

/** Makes a backup on request. */
export function backupTool(backups: KernelBackupsContract): Tool {
  return {
    id: "backup",
    title: "Back up now",
    description: "Writes a backup of everything the server keeps",
    touchesFiles: false,
    run: () => makeBackup(backups),
  };
}

/** Says when the newest backup is old. @param startedAtMs - When the data began: a new server has none yet, and that is all right */
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

async function makeBackup(backups: KernelBackupsContract): Promise<string> {
  const { name, sizeBytes } = await backups.create();
  return `${name}, ${sizeOf(sizeBytes)}`;
}
