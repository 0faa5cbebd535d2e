import type { z } from "zod";
import type { koboAccountSchema, newKoboSchema } from "./routes/account-routes.js";

export type KoboAccount = z.output<typeof koboAccountSchema>;
export type NewKobo = z.output<typeof newKoboSchema>;
