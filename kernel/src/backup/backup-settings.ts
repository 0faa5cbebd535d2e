// The settings of backups.
import { z } from "zod";

export const backupSettings = z
  .object({
    keep: z
      .number()
      .int()
      .min(1)
      .max(1000)
      .default(7)
      .meta({ title: "Backups to keep", description: "Older ones are removed after a new one has been made." }),
    keepDays: z.number().int().min(0).max(3650).default(0).meta({
      title: "Days to keep backups",
      description:
        "Older ones are removed after a new one has been made, whatever their number. 0: no backup is removed because of its age.",
    }),
  })
  .meta({ title: "Backups", task: "server" });
export type BackupSettings = z.output<typeof backupSettings>;
