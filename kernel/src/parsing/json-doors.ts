import { BadInput, UpstreamFailure, type Answer, type JsonLimits, type ParseJson } from "@longbox/sdk";
import { z } from "zod";
import { UnreadableJson, type JsonProblem } from "./json-reading.js";
import { maskOf } from "./schema-mask.js";
import type { OutsideJson } from "./outside-json.js";

const usual = { maxDepth: 100, maxValues: 100_000 } as const;
const shownFields = 10;

type Problem = JsonProblem | "unexpected";
/** What a reader says of a document that it cannot use. */
type Failing = (told: string, details: { problem: Problem; fields?: Record<string, string> }, cause?: unknown) => Error;

/** The door for documents that came otherwise than as an answer. */
export function parseJsonBy(json: OutsideJson): ParseJson {
  const failing: Failing = (told, details, cause) =>
    Object.assign(new BadInput("kernel/json-unreadable", `The document cannot be read. ${told}`), { details, cause });
  return (document, schema, limits) => {
    const bytes = typeof document === "string" ? new TextEncoder().encode(document) : document;
    return read(json, { bytes, schema, limits }, failing);
  };
}

/** Gives an answer the `json` of {@link Answer}. */
export function withBoundedJson(answer: Response, host: string, json: OutsideJson): Answer {
  const failing: Failing = (told, details, cause) =>
    new UpstreamFailure("kernel/answer-unreadable", `The answer of ${host} cannot be read. ${told}`, details, {
      cause,
    });
  const readAs = async (schema: z.ZodType = z.unknown(), limits?: JsonLimits) =>
    read(json, { bytes: new Uint8Array(await answer.arrayBuffer()), schema, limits }, failing);
  return Object.defineProperty(answer, "json", { value: readAs }) as Answer;
}

interface Wanted<S> {
  readonly bytes: Uint8Array;
  readonly schema: S;
  readonly limits: JsonLimits | undefined;
}

async function read<S extends z.ZodType>(
  json: OutsideJson,
  { bytes, schema, limits }: Wanted<S>,
  failing: Failing,
): Promise<z.output<S>> {
  const found = await json.read({ bytes, bounds: { ...usual, ...limits }, mask: maskOf(schema) }).catch((fault) => {
    if (!(fault instanceof UnreadableJson)) throw fault;
    throw failing(fault.message, { problem: fault.problem }, fault);
  });
  const parsed = schema.safeParse(found);
  if (parsed.success) return parsed.data;
  const fields = Object.fromEntries(
    parsed.error.issues.slice(0, shownFields).map(({ path, message }) => [path.join(".") || "document", message]),
  );
  const told = Object.entries(fields).map(([field, message]) => `${field}: ${message}`);
  throw failing(`It does not match the schema. ${told.join("; ")}`, { problem: "unexpected", fields });
}
