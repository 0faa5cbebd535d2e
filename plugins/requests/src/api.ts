import type { z } from "zod";
import type { foundSchema, requestSchema, requestsSchema } from "./shapes.js";

export type Request = z.output<typeof requestSchema>;
export type Requests = z.output<typeof requestsSchema>;
export type Found = z.output<typeof foundSchema>;
