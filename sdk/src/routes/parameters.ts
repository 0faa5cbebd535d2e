import { z } from "zod";

const whole = z
  .string()
  .regex(/^-?\d{1,15}$/, "must be a whole number")
  .transform(Number);

/** A positive internal id in a path or query. */
export const idParameter = whole.pipe(z.number().int().positive());

/** An id in a path that is positive once an outside source knows the thing, and negative until then. */
export const signedIdParameter = whole.pipe(
  z
    .number()
    .int()
    .refine((id) => id !== 0, "must not be 0"),
);

/** A count from 0, such as a page number. */
export const indexParameter = whole.pipe(z.number().int().nonnegative());

/** A switch in a query: `1` or `true`, `0` or `false`. */
export const flagParameter = z.enum(["1", "true", "0", "false"]).transform((text) => text === "1" || text === "true");

/** Comma-separated ids in a query. */
export const idListParameter = z
  .string()
  .transform((text) => text.split(",").filter((part) => part !== ""))
  .pipe(z.array(signedIdParameter).max(1000));

/** `limit` and `offset` of a list that can grow. */
export function pageParameters(limits: { default: number; max: number }) {
  return {
    limit: whole.pipe(z.number().int().min(1).max(limits.max)).default(limits.default),
    offset: whole.pipe(z.number().int().nonnegative()).default(0),
  };
}
