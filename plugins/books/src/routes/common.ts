import { signedIdParameter } from "@longbox/sdk";
import { z } from "zod";

export const access = "ebooks.use";
export const bookParams = z.object({ id: signedIdParameter });

export const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, "must be a time zone such as Europe/Berlin")
  .default("UTC");

/** The device that all browsers are: each opens a book where the others left it. */
export const webReader = "Web reader";
export const device = z.string().min(1).max(200).default(webReader);

/** Text as databases and documents can hold it. @param longest - in characters */
export function plainText(longest: number) {
  return z
    .string()
    .max(longest)
    .transform((text) => text.replaceAll("\0", "").toWellFormed());
}

/**
 * A place in a book, in the notation of the program that reports it: an EPUB CFI, a Readium locator and so on. What is
 * sent as an object is kept as its JSON.
 */
export const locator = z
  .union([z.string(), z.record(z.string(), z.json()).transform((value) => JSON.stringify(value))])
  .pipe(plainText(4000));

export const fraction = z.number().min(0).max(1).meta({ description: "Of the whole book, 0 to 1" });

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
