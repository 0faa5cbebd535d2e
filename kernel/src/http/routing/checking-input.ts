import { BadInput } from "@longbox/sdk";
import type { z } from "zod";
import { notAccepted, sayProblem } from "../../parsing/input-problems.js";

/** Limits the length of the error for a long list of invalid values. */
const mostDetails = 50;

/**
 * Parses one part of the input.
 * @throws {BadInput} `kernel/invalid-input`; `details` says of each field what is wrong, of the first fifty
 */
export function checkInput(schema: z.ZodType, part: "path" | "query" | "body", value: unknown): unknown {
  const parsed = schema.safeParse(value, { error: sayProblem });
  if (parsed.success) return parsed.data;
  // A field may be called __proto__, too.
  const details: Record<string, string> = Object.create(null);
  for (const issue of parsed.error.issues.slice(0, mostDetails))
    details[issue.path.map(String).join(".") || part] ??= explain(issue);
  throw new BadInput("kernel/invalid-input", `What was sent does not fit: ${describe(details)}.`, details);
}

/** zod says of a union only that nothing in it fits; what each choice would want is of use to the caller. */
function explain(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_union" || issue.message !== notAccepted || issue.errors.length === 0)
    return issue.message;
  const wanted = issue.errors.map((choice) =>
    choice.map((inner) => [...inner.path.map(String), explain(inner)].join(": ")).join(" and "),
  );
  return [...new Set(wanted)].join(", or ");
}

function describe(details: Record<string, string>): string {
  const fields = Object.entries(details).slice(0, 5);
  return fields.map(([field, problem]) => `${field}: ${problem.replace(/\.$/, "")}`).join("; ");
}

/** The path's parameters by name, decoded. @throws {BadInput} `kernel/invalid-input` for a broken percent encoding */
export function decodeParameters(names: readonly string[], values: readonly string[]): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (let at = 0; at < names.length; at++) parameters[names[at]!] = decodeValue(names[at]!, values[at]!);
  return parameters;
}

/**
 * What takes all that is left holds slashes; one that is encoded, or a step upwards, would mean another path once
 * decoded.
 */
function decodeValue(name: string, raw: string): string {
  if (!raw.includes("/")) return decodeSegment(name, raw);
  const segments = raw.split("/").map((segment) => decodeSegment(name, segment));
  if (segments.some((segment) => segment === "." || segment === ".." || segment.includes("/")))
    throw new BadInput("kernel/invalid-input", `The path is invalid: ${name} has an encoded slash or dots.`, {
      [name]: "must not contain an encoded slash, or . or .. as a segment",
    });
  return segments.join("/");
}

function decodeSegment(name: string, raw: string): string {
  if (!raw.includes("%")) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    throw new BadInput("kernel/invalid-input", `The path is invalid: ${name} is not percent-encoded UTF-8.`, {
      [name]: "must be percent-encoded UTF-8",
    });
  }
}

/** The query's fields. A field that is given more than once becomes a list, which only a schema for lists accepts. */
export function readQuery(search: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  if (search === "") return query;
  for (const [name, value] of new URLSearchParams(search)) {
    const present = query[name];
    query[name] = present === undefined ? value : Array.isArray(present) ? [...present, value] : [present, value];
  }
  return query;
}
