import { counted } from "@longbox/sdk";
import type { z } from "zod";

type Issue = z.core.$ZodRawIssue;
type Sized = Extract<Issue, { code: "too_big" | "too_small" }>;

const kinds: Readonly<Record<string, string>> = {
  string: "must be text",
  number: "must be a number",
  int: "must be a whole number",
  boolean: "must be true or false",
  array: "must be a list",
  tuple: "must be a list",
  object: "must be an object",
  record: "must be an object",
  null: "must be null",
  function: "must be a function",
};

const formats: Readonly<Record<string, string>> = {
  url: "must be an address such as https://example.org",
  email: "must be an address such as ann@example.org",
  datetime: "must be a date and a time such as 2026-05-01T22:30:00Z",
  date: "must be a date such as 2026-05-01",
  time: "must be a time such as 22:30:00",
};

/** What is said where a schema gives no reason, as of a union in which nothing fits. */
export const notAccepted = "is not accepted";

/** What a value with a length consists of; the others are numbers. */
const units: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ["character", "characters"],
  array: ["entry", "entries"],
  set: ["entry", "entries"],
  map: ["entry", "entries"],
  file: ["byte", "bytes"],
};

/**
 * What is wrong with a value, to stand after the name of its field: `must have at least 8 characters`. For the option
 * `error` of zod, where a schema says nothing itself. Interfaces translate it, so a figure stands alone between words.
 */
export function sayProblem(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? "is missing"
        : (kinds[issue.expected] ?? `must be of the type ${issue.expected}`);
    case "invalid_value":
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.join(", ")}`;
    case "too_small":
    case "too_big":
      return saySize(issue);
    case "invalid_format":
      return formats[issue.format] ?? "has another form than it must have";
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_union":
      return Array.isArray(issue.options) ? `must be one of ${issue.options.map(String).join(", ")}` : notAccepted;
    case "unrecognized_keys":
      return `has unknown fields: ${issue.keys.join(", ")}`;
    case "invalid_key":
      return "has a name that is not allowed";
    default:
      return notAccepted;
  }
}

function saySize(issue: Sized): string {
  const unit = units[issue.origin];
  const limit = Number(issue.code === "too_small" ? issue.minimum : issue.maximum);
  if (unit && issue.code === "too_small" && limit === 1) return "must not be empty";
  return unit ? `must have ${bound(issue)} ${counted(limit, ...unit)}` : `must be ${bound(issue)} ${limit}`;
}

function bound({ code, inclusive, exact }: Sized): string {
  if (exact) return "exactly";
  if (code === "too_small") return inclusive ? "at least" : "more than";
  return inclusive ? "at most" : "less than";
}
