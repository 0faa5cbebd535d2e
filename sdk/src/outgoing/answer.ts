import type { z } from "zod";

/** How much a JSON document from outside may hold. */
export interface JsonLimits {
  /** Lists and objects inside of each other. Default 100. */
  maxDepth?: number;
  /**
   * Texts, numbers, lists, objects and so on, counted without the keys that the schema does not name. Default 100 000.
   */
  maxValues?: number;
}

/** What another server answers: the standard `Response`, whose JSON is read within limits. */
export interface Answer extends Response {
  /**
   * The body as JSON that fits a schema. What is longer than 64 kB is parsed in a thread, which hands over only the
   * keys that the schema names.
   *
   * @throws {UpstreamFailure} `kernel/answer-unreadable`; `details.problem` is `malformed`, `too-deep`,
   * `too-many-values` or `unexpected`, and with the last one `details.fields` says what is wrong at which path. Also
   * what reading the body throws, such as `kernel/answer-too-large`.
   */
  json<S extends z.ZodType>(schema: S, limits?: JsonLimits): Promise<z.output<S>>;
  /** The same without a schema, for what is checked later. */
  json(): Promise<any>;
}

/**
 * Reads JSON that came from outside by another way than an answer, such as a file or what was kept of an answer: in a
 * thread where it is longer than 64 kB.
 *
 * @throws {BadInput} `kernel/json-unreadable`, with the details of {@link Answer.json}
 */
export type ParseJson = <S extends z.ZodType>(
  document: string | Uint8Array,
  schema: S,
  limits?: JsonLimits,
) => Promise<z.output<S>>;
