// What the routes answer, for clients. Types only.
import type { z } from "zod";
import type { decidedPictureSchema, repeatedPagesSchema } from "./repeated-pages/repeated-page-routes.js";
import type { samplesSchema } from "./samples/sample-routes.js";

export type RepeatedPages = z.output<typeof repeatedPagesSchema>;
export type DecidedPicture = z.output<typeof decidedPictureSchema>;
export type SampleComicsState = z.output<typeof samplesSchema>;
