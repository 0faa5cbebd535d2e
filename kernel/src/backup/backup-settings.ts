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
  })
  .meta({ title: "Backups", task: "server" });
export type BackupSettings = z.output<typeof backupSettings>;
