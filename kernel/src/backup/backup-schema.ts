// How a kept backup is shown to clients.
import { z } from "zod";

export const backupSchema = z
  .object({ name: z.string(), createdAt: z.iso.datetime(), sizeBytes: z.number().int() })
  .meta({ id: "Backup" });
