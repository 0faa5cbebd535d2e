import type { z } from "zod";

/** What a document holds that was never stored. @throws {TypeError} where its schema takes neither undefined nor {} */
export function beginning<T>(path: string, schema: z.ZodType<T>): T {
  const ofNothing = schema.safeParse(undefined);
  if (ofNothing.success) return ofNothing.data;
  const ofEmpty = schema.safeParse({});
  if (ofEmpty.success) return ofEmpty.data;
  throw new TypeError(
    `The schema of the document ${path} must accept undefined or {}, so that there is something to begin with.`,
  );
}
