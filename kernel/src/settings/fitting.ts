import type { z } from "zod";

/** The values that fit a schema; others are left out and reported, so that their defaults apply. */
export function fitting(
  schema: z.ZodType,
  given: Readonly<Record<string, unknown>>,
  report: (key: string, message: string) => void = () => {},
): Readonly<Record<string, unknown>> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return given;
  const values = { ...given };
  for (const issue of parsed.error.issues) {
    const key = String(issue.path[0] ?? "");
    if (!Object.hasOwn(values, key)) continue;
    report(key, issue.message);
    delete values[key];
  }
  // A rule over several fields names none of them: then only the defaults are sure to fit.
  if (schema.safeParse(values).success) return values;
  report("*", "The settings do not fit each other.");
  return {};
}
