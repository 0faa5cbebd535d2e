// What rolldown says of sources that it cannot bundle, as mistakes with a file and a line.
import type { RolldownLog } from "rolldown";
import { AuthorMistake } from "./author-mistake.js";

const codes: Readonly<Record<string, string>> = {
  UNRESOLVED_IMPORT: "unresolved-import",
  UNRESOLVED_ENTRY: "entry-missing",
  PARSE_ERROR: "syntax-error",
};

/** A line of rolldown's log as a mistake: its first line, since the rest is a drawing of the source. */
export function mistakeOf({ code = "", message, loc, id }: RolldownLog): AuthorMistake {
  const [first = message] = message.replace(/^\[\w+\]\s*/, "").split("\n");
  const sentence = code === "PARSE_ERROR" ? `The syntax is wrong: ${first}` : first;
  return new AuthorMistake(codes[code] ?? "cannot-be-packed", ended(sentence), {
    file: loc?.file ?? id,
    line: loc?.line,
  });
}

/** What a build failed with, where rolldown says it. */
export function inSource(failure: unknown): AuthorMistake | undefined {
  const errors: unknown = failure instanceof Error && "errors" in failure ? failure.errors : undefined;
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  return first instanceof Error ? mistakeOf(first as RolldownLog) : undefined;
}

const ended = (sentence: string) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`);
