import { realpath } from "node:fs/promises";
import { LongboxError, reply, type Content, type ContentOptions, type RangeBytes } from "@longbox/sdk";
import { isWithin } from "@longbox/sdk/light";
import { z } from "zod";
import type { ToldReply } from "../agreement.js";

/** An isolated plugin answered with a file that is none of its own, or with something that is no answer. */
class AnswerRefused extends LongboxError {
  constructor(problem: string) {
    super("internal", "kernel/answer-refused", `The isolated plugin's answer cannot be sent: ${problem}`);
  }
}

const contentType = z.string().max(300);
const anyFunction = z.custom<(...given: unknown[]) => Promise<unknown>>((value) => typeof value === "function");
const size = z.number().int().nonnegative();
const contentSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("bytes"), bytes: z.instanceof(Uint8Array), contentType }),
  z.object({ kind: z.literal("file"), path: z.string(), contentType }),
  z.object({ kind: z.literal("slice"), path: z.string(), offset: size, length: size, contentType }),
  z.object({ kind: z.literal("ranges"), sizeBytes: size, contentType, read: anyFunction }),
  z.object({ kind: z.literal("filled"), sizeBytes: size, contentType, fill: anyFunction }),
  z.object({ kind: z.literal("stream"), stream: z.custom<never>(isStream), contentType, length: size.optional() }),
]);
const headersSchema = z.record(z.string(), z.union([z.string(), z.array(z.string())]));
const status = z.number().int().min(200).max(599).optional();
const json = z.string().optional();
const replySchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("value"), json }),
  z.object({ kind: z.literal("json"), json, created: z.boolean(), headers: headersSchema, protocolStatus: status }),
  z.object({ kind: z.literal("empty"), headers: headersSchema, protocolStatus: status }),
  z.object({ kind: z.literal("redirect"), location: z.string().max(10_000), headers: headersSchema }),
  z.object({ kind: z.literal("content"), content: z.unknown(), options: z.unknown() }),
]);
const optionsSchema = z.object({
  validator: z.string().optional(),
  lastModified: z.date().optional(),
  maxAgeSeconds: z.number().optional(),
  vary: z.array(z.string()).optional(),
  downloadName: z.string().optional(),
  inlineName: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
});

/** Makes answers of what an isolated plugin answered. Files are those of its own folders alone. */
export class ReplyBridge {
  /** @param folders - Where files of the plugin may lie */
  constructor(private readonly folders: readonly string[]) {}

  /** What a handler of the kernel's own would have returned. @throws {LongboxError} `kernel/answer-refused` */
  answer(told: unknown): unknown {
    const parsed = replySchema.safeParse(told);
    if (!parsed.success) throw new AnswerRefused(z.prettifyError(parsed.error));
    const answer: ToldReply = parsed.data as ToldReply;
    switch (answer.kind) {
      case "value":
        return answer.json === undefined ? undefined : (JSON.parse(answer.json) as unknown);
      case "json":
        return this.#json(answer);
      case "empty":
        return reply.empty(answer.headers, statusOf(answer));
      case "redirect":
        return reply.redirect(answer.location, answer.headers);
      default:
        return this.#content(answer.content, answer.options);
    }
  }

  #json(answer: Extract<ToldReply, { kind: "json" }>): unknown {
    const value: unknown = answer.json === undefined ? undefined : JSON.parse(answer.json);
    return answer.created ? reply.created(value, answer.headers) : reply.json(value, answer.headers, statusOf(answer));
  }

  #content(content: unknown, options: unknown): unknown {
    const given = optionsSchema.safeParse(options);
    if (!given.success) throw new AnswerRefused(z.prettifyError(given.error));
    // What is left out has no field: the schema adds none.
    const known = given.data as ContentOptions;
    if (typeof content !== "function") return this.#checked(content).then((checked) => reply.content(checked, known));
    return reply.content(async () => this.#checked(await (content as () => Promise<unknown>)()), known);
  }

  async #checked(content: unknown): Promise<Content> {
    const parsed = contentSchema.safeParse(content);
    if (!parsed.success) throw new AnswerRefused(z.prettifyError(parsed.error));
    const { data } = parsed;
    switch (data.kind) {
      case "file":
      case "slice":
        return { ...data, path: await this.#own(data.path) };
      case "ranges":
        return { ...data, read: async (start, end, signal) => (await data.read(start, end, signal)) as RangeBytes };
      case "filled":
        return { ...data, fill: (target, start, signal) => fill(data.fill, { target, start, signal }) };
      case "stream": {
        const { length, ...stream } = data;
        return length === undefined ? stream : { ...stream, length };
      }
      default:
        return data;
    }
  }

  /** Links are followed: what counts is where the file really lies. */
  async #own(path: string): Promise<string> {
    const real = await realpath(path);
    const folders = await Promise.all(this.folders.map((folder) => realpath(folder).catch(() => folder)));
    if (folders.some((folder) => isWithin(folder, real))) return real;
    throw new AnswerRefused(`the file ${path} does not lie in one of its folders`);
  }
}

function isStream(value: unknown): boolean {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value && "pipe" in value;
}

const statusOf = ({ protocolStatus }: { readonly protocolStatus: number | undefined }) =>
  protocolStatus === undefined ? {} : { protocolStatus };

interface Wanted {
  readonly target: Uint8Array;
  readonly start: number;
  readonly signal: AbortSignal;
}

async function fill(ask: (...given: unknown[]) => Promise<unknown>, { target, start, signal }: Wanted): Promise<void> {
  const bytes = await ask(target.byteLength, start, signal);
  if (!(bytes instanceof Uint8Array) || bytes.byteLength !== target.byteLength)
    throw new AnswerRefused("it gave other bytes than it was asked for");
  target.set(bytes);
}
