import type { z } from "zod";
import type { newPasswordSchema, syncAccountSchema } from "./account-routes.js";

export type SyncAccount = z.output<typeof syncAccountSchema>;
export type NewPassword = z.output<typeof newPasswordSchema>;
