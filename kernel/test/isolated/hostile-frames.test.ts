// What the process of an isolated plugin may write to the kernel: whatever it is, the kernel serves on, and nothing
// hangs.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { answering, writePlugin, type TinyPlugin } from "../plugins/support.js";

/** Writes to the connection with the kernel past everything that the host's code in the process does. */
const liar: TinyPlugin = {
  id: "liar",
  head: `import { z } from "zod"; import fs from "node:fs";
    const send = (bytes) => { for (let at = 0; at < bytes.length; ) { try { at += fs.writeSync(3, bytes, at); } catch (fault) { if (fault.code !== "EAGAIN") throw fault; } } };`,
  manifest: { events: [{ domain: "liar" }] },
  activate: `
    let release;
    context.routes([
      defineRoute({ method: "GET", path: "/api/liar", summary: "answers", handle: () => ({ answered: true }) }),
      defineRoute({ method: "GET", path: "/api/liar/slow", summary: "answers late", handle: () => new Promise((resolve) => { release = resolve; context.changed("liar"); }) }),
      defineRoute({ method: "POST", path: "/api/liar", access: "library.view", summary: "sends", body: z.object({ bytes: z.string() }),
        handle: ({ body }) => { setTimeout(() => send(Buffer.from(body.bytes, "base64")), 20); return {}; } }),
    ]);`,
};
const neighbour: TinyPlugin = { id: "neighbour", activate: answering("/api/neighbour", "calm") };

/** A message as the channel writes it. */
function frame(head: unknown, text = JSON.stringify(head)): Buffer {
  const bytes = Buffer.from(text, "utf8");
  const lengths = Buffer.alloc(12);
  lengths.writeUInt32LE(8 + bytes.length, 0);
  lengths.writeUInt32LE(bytes.length, 8);
  return Buffer.concat([lengths, bytes]);
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, at) => bytes.writeUInt32LE(value, 4 * at));
  return bytes;
}

/** The same message for each call that may be under way. */
const toAll = (make: (number: number) => unknown) =>
  Buffer.concat(Array.from({ length: 400 }, (_, at) => frame(make(at + 1))));
const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

const cases: readonly (readonly [string, Buffer])[] = [
  ["an endless length", numbers(0xffff_ffff, 0, 0)],
  ["a length of nothing", numbers(0, 0, 0)],
  ["lengths that contradict each other", Buffer.concat([numbers(16, 2, 4), Buffer.from("null")])],
  ["more parts than fit", numbers(8, 9_999, 0)],
  ["text that is no JSON", frame(undefined, "{")],
  ["a head that is no list", frame({ kind: "c" })],
  ["a kind that is unknown", frame(["x", 1])],
  ["a call without a number", frame(["c", "one", 0, "log", []])],
  ["a call without parameters", frame(["c", 1, 0, "log"])],
  ["calls of the language's own methods", frame(["c", 1, 0, "__proto__", []])],
  ["calls of doors that are none", frame(["c", 1, 0, "constructor", ["return process"]])],
  ["calls of objects that are not there", frame(["c", 1, 999, "release", []])],
  ["queries of another form", frame(["c", 1, 0, "query", [{ source: 5, sql: {}, parameters: "x", isRead: 1 }]])],
  [
    "a query with an object",
    frame(["c", 1, 0, "query", [{ source: "database", sql: "select 1", parameters: [{}], isRead: true }]]),
  ],
  ["a transaction of another", frame(["c", 1, 0, "command", [1, "commit; drop table x", ""]])],
  ["methods of a contract that are none", frame(["c", 1, 0, "contract", ["liar", "__defineGetter__", 1]])],
  ["a log of everything", frame(["t", "log", [{}, [], 5]])],
  ["a fault of nothing", frame(["t", "fault", [null]])],
  ["an event for others", frame(["t", "changed", [{ toString: 1 }, "all"]])],
  ["routes of the kernel", frame(["t", "routes", [[{ method: "GET", path: "/api/users" }]]])],
  ["contributions without a point", frame(["t", "contribute", [-1, null, {}]])],
  ["fields named __proto__", frame(undefined, '["t","refresh",[1,{"__proto__":{"polluted":true}}]]')],
  ["settings of the other direction", frame(["t", "settings", [{}]])],
  ["memory below nothing", frame(["c", 1, 0, "memory", [-5]])],
  ["letting go of what was never held", frame(["d", 5, -1e9])],
  ["signals of nothing", frame(["a", 77, { $: "r", v: 1 }])],
  ["nesting without end", frame(undefined, `["t","log",["info","x",${nested(200_000)}]]`)],
  ["a viewer that is made up", frame(["c", 1, 0, "log", ["info", { $: "v", v: { number: 1, permissions: ["*"] } }]])],
  ["numbers that are none", frame(["c", 1, 0, "begin", [{ $: "i", v: "not a number" }]])],
  ["bytes that were not sent", frame(["c", 1, 0, "log", ["info", { $: "b", v: 7 }]])],
  ["answers of an unknown kind to everything", toAll((number) => ["r", number, { $: "?" }])],
  [
    "answers that are deeper than any stack",
    Buffer.concat([frame(undefined, `["r",3,${nested(200_000)}]`), toAll((number) => ["r", number, null])]),
  ],
  [
    "errors of an unknown kind to everything",
    toAll((number) => ["e", number, { longbox: { kind: "__proto__", code: 5 } }, { $: "u" }, { $: "u" }]),
  ],
];

let folder: string;
let host: KernelTestHost;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "longbox-frames-"));
  for (const plugin of [liar, neighbour]) await writePlugin(path.join(folder, plugin.id), plugin);
  host = await startKernelTestHost({
    plugins: [liar, neighbour].map(({ id }) => path.join(folder, id)),
    isolated: ["liar", "neighbour"],
    kernel: { plugins: { isolation: { restartMs: [0] }, faultLimit: { count: 1_000, withinMs: 1_000 } } },
  });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe("a process that writes", () => {
  it.each(cases)("%s confuses nothing but itself", async (_, bytes) => {
    const viewer = host.as("viewer");
    const events = await host.domains("viewer");
    const before = await host.kernel.host.row("neighbour");
    const slow = viewer.get("/api/liar/slow");
    await events.until("liar");
    expect((await viewer.post("/api/liar", { bytes: bytes.toString("base64") })).status).toBe(200);
    // Whether it was refused, or the process was ended for it: others are answered, and so is it again.
    await expect.poll(async () => (await viewer.get("/api/liar")).status, { timeout: 20_000 }).toBe(200);
    expect((await viewer.get("/api/neighbour")).status).toBe(200);
    expect((await viewer.get("/healthz")).status).toBe(200);
    expect(host.kernel.host.row("neighbour")).toEqual(before);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    await host.disable("liar");
    // What is under way is answered, at the latest when the plugin stops.
    expect([200, 500, 503]).toContain((await slow).status);
    await host.enable("liar");
    await vi.waitUntil(() => host.kernel.host.row("liar").state === "active", { timeout: 20_000 });
    await events.release();
  });
});
