import { z } from "zod";
import { BadField, NotAReadingList } from "../errors.js";

/** A list's name: one line of text. */
export const listName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((name) => !/[\u0000-\u001f\u007f]/.test(name), "must be one line of text");
/** An issue as clients know it. */
export const issueId = z
  .number()
  .int()
  .refine((id) => id !== 0 && Math.abs(id) <= 999_999_999_999, "must be an issue's id");
export const issueIds = z.array(issueId).max(5_000);
/** A story arc by its id, or by its page at the provider. */
export const arcId = z.union([
  z.number().int().positive().max(999_999_999_999),
  z
    .string()
    .max(300)
    .regex(/(?:^|4045-)\d{1,12}\/?$/, "must be a story arc's id")
    .transform((text) => Number(/(\d{1,12})\/?$/.exec(text)?.[1]))
    .pipe(z.number().positive()),
]);
export const catalogPath = z.string().min(1).max(500);

/**
 * How long a request waits for long work before it continues in the background: `Prefer: wait=5` (RFC 7240), in
 * seconds.
 * @param usual - The default, in milliseconds
 */
export function patienceOf(prefer: string | undefined, usual: number): number {
  const seconds = /(?:^|[,;\s])wait=(\d{1,4})(?:$|[,;\s])/i.exec(prefer ?? "")?.[1];
  return seconds === undefined ? usual : Math.min(Number(seconds), 60) * 1000;
}

/** A path needs no more, and no more is parsed at once. */
const longestPathBody = 64 * 1024;

/** The body of a preview: a path of the catalog as JSON, or a list file. @throws {BadField} */
export function readPreviewBody(
  bytes: Uint8Array,
  contentType: string,
): { readonly path: string } | { readonly file: Uint8Array } {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 64)).toString("latin1").trimStart();
  if (!/^application\/json\b/i.test(contentType) && !start.startsWith("{")) return { file: bytes };
  if (bytes.length > longestPathBody) throw new NotAReadingList(`is longer than ${longestPathBody} bytes`);
  const parsed = z.object({ path: catalogPath }).safeParse(parseJson(bytes));
  if (!parsed.success) throw new BadField("path", "must be a path of the catalog");
  return parsed.data;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    throw new NotAReadingList("is not well-formed JSON");
  }
}
