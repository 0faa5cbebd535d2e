import type { z } from "zod";
import type { placesSchema } from "./routes/form-routes.js";

/* What the HTTP routes of this plugin answer, for clients. Types only: this entry has no code. */

export type FormPlaces = z.output<typeof placesSchema>;
