// What the process of an isolated plugin may send to each door of the kernel. The process is not trusted to send
// anything else.
import { LongboxError } from "@longbox/sdk";
import { z } from "zod";
import type { Doors } from "../wire/channel.js";

/** The process of an isolated plugin asked for something in a form that its part of the kernel never uses. */
class CallRefused extends LongboxError {
  constructor(door: string, problem: string) {
    super("internal", "kernel/call-refused", `A call of an isolated plugin cannot be understood: ${door}: ${problem}`, {
      door,
      problem,
    });
  }
}

type Called = (...given: readonly unknown[]) => Promise<unknown>;

const called = z.custom<Called>((value) => typeof value === "function", "must be a function");
const signal = z.instanceof(AbortSignal);
const name = z.string().max(200);
/** Names that the language looks up on every object are no methods. */
const method = z
  .string()
  .max(200)
  .refine((text) => !(text in Object.prototype) && text !== "then", "is not a method");
const count = z.number().int().nonnegative();
const scalar = z.union([
  z.string(),
  z.number(),
  z.bigint(),
  z.boolean(),
  z.null(),
  z.undefined(),
  z.date(),
  z.instanceof(Uint8Array),
]);
const anything = z.unknown();
const fields = z.record(z.string(), anything);

const query = z.object({
  source: name,
  turn: count.optional(),
  sql: z.string(),
  parameters: z.array(z.union([scalar, z.array(scalar)])),
  isRead: z.boolean(),
});
const fetched = z.object({
  url: z.url().max(20_000),
  method: z.string().max(20),
  // The class is looked for when the first request comes: with it, Node loads its own `fetch`.
  headers: z.custom<Headers>((value) => value instanceof Headers),
  body: z.instanceof(Uint8Array).optional(),
  options: z.object({
    maxBytes: z.number().positive().optional(),
    timeoutMs: z.number().positive().optional(),
    redirects: count.optional(),
    publicOnly: z.boolean().optional(),
    redirect: z.enum(["follow", "error", "manual"]).optional(),
    urgency: z.string().optional(),
    kind: z.string().optional(),
    quietMs: z.number().nonnegative().optional(),
  }),
  signal: signal.optional(),
});
const limits = z.object({
  atOnce: z.number().positive().optional(),
  spacingMs: z.number().nonnegative().optional(),
  perHour: z.number().positive().optional(),
});
const meant = z.object({ url: z.url().max(20_000), limits });
const token = z.object({ id: name, version: z.string().max(50) });

/** The parameters of each door. What a plugin's contract takes is for the plugin that provides it. */
const shapes: Readonly<Record<string, z.ZodType<unknown[]>>> = {
  query: z.tuple([query, signal.optional()]),
  stream: z.tuple([query, z.number().int().min(1).max(10_000)]),
  begin: z.tuple([name]),
  command: z.tuple([count, z.enum(["commit", "rollback", "savepoint", "rollback-to", "release"]), name.optional()]),
  fullText: z.tuple([name, z.array(name)]),
  index: z.tuple([name, name, called]),
  document: z.tuple([name]),
  cache: z.tuple([name, z.number().nonnegative()]),
  fetch: z.tuple([fetched]),
  host: z.union([
    z.tuple([meant, z.enum(["state", "reset"])]),
    z.tuple([meant, z.literal("run"), called, fields.optional()]),
    z.tuple([meant, z.enum(["fetch", "stream"]), fetched]),
  ]),
  contract: z.tuple([name, method], anything),
  subscribe: z.tuple([name, method], anything),
  log: z.tuple([name, z.string(), fields.optional()]),
  fault: z.tuple([z.object({ message: z.string(), stack: z.string().optional() }), z.string()]),
  changed: z.tuple([name, z.array(z.number().int()).optional()]),
  memory: z.tuple([z.number().nonnegative(), signal.optional()]),
  provide: z.tuple([token, fields]),
  routes: z.tuple([z.array(fields)]),
  onUserDeleted: z.tuple([called]),
  onUserAdopted: z.tuple([called]),
  contribute: z.tuple([count, token, z.object({ fields, methods: z.record(z.string(), called) })]),
  judge: z.tuple([token, name.optional(), called]),
  withdraw: z.tuple([count]),
  refresh: z.tuple([count, fields]),
};

/** The same doors, through which nothing comes that they do not take. */
export function guarded(doors: Doors): Doors {
  const guard = ([door, work]: readonly [string, Doors[string]]) => {
    const shape = shapes[door];
    if (!shape) throw new Error(`It is not said what the door "${door}" takes.`);
    const checked = (...given: unknown[]): unknown => {
      const parsed = shape.safeParse(given);
      if (!parsed.success) throw new CallRefused(door, z.prettifyError(parsed.error));
      return work(...(parsed.data as never[]));
    };
    return [door, checked] as const;
  };
  return Object.fromEntries(Object.entries(doors).map(guard));
}
