// Criterion 7: many plugins fail at once, each in its own way, and every fault is counted for the one that made it.
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { Program } from "../plugins/program.js";
import { temporaryFolder, until, writePlugin } from "../plugins/support.js";

/** What a request makes a plugin do, as code in a handler; `status` is what the client sees of it. */
interface FaultClass {
  readonly name: string;
  readonly code: string;
  readonly status: number;
}

const handlers: readonly FaultClass[] = [
  { name: "throw", code: `throw new Error(name);`, status: 500 },
  { name: "reject", code: `await Promise.reject(new Error(name));`, status: 500 },
  { name: "throw-text", code: `throw name;`, status: 500 },
  { name: "overflow", code: `const deep = () => deep() + 1; deep();`, status: 500 },
  { name: "bad-body", code: `return { wrong: 1n };`, status: 500 },
  { name: "type-error", code: `undefined.nothing();`, status: 500 },
  { name: "json", code: `const around = {}; around.self = around; return around;`, status: 500 },
  { name: "getter", code: `return { get x() { throw new Error(name); } };`, status: 500 },
  { name: "late-throw", code: `setTimeout(() => { throw new Error(name); }, 5);`, status: 200 },
  { name: "late-reject", code: `setTimeout(() => void Promise.reject(new Error(name)), 5);`, status: 200 },
  { name: "unawaited", code: `void (async () => { await null; throw new Error(name); })();`, status: 200 },
  { name: "immediate", code: `setImmediate(() => { throw new Error(name); });`, status: 200 },
  { name: "tick", code: `process.nextTick(() => { throw new Error(name); });`, status: 200 },
  { name: "microtask", code: `queueMicrotask(() => { throw new Error(name); });`, status: 200 },
  {
    name: "emitter",
    code: `const emitter = new EventEmitter(); emitter.once("x", () => { throw new Error(name); }); setTimeout(() => emitter.emit("x"), 5);`,
    status: 200,
  },
  { name: "error-event", code: `setTimeout(() => new EventEmitter().emit("error", new Error(name)), 5);`, status: 200 },
  { name: "callback", code: `fs.stat("/", () => { throw new Error(name); });`, status: 200 },
  {
    name: "twice",
    code: `const once = (done) => { done(); done(); }; let count = 0; setTimeout(() => once(() => { if (count++) throw new Error(name); }), 5);`,
    status: 200,
  },
  { name: "stream", code: `const stream = fs.createReadStream("/nowhere"); stream.on("open", () => {});`, status: 200 },
  { name: "worker", code: `new Worker("throw new Error('in a thread')", { eval: true });`, status: 200 },
];

it(
  `criterion 7: of ${handlers.length} plugins that fail at the same time, each has its own fault and no other, and the server stays up`,
  { timeout: 180_000 },
  async () => {
    await using folder = await temporaryFolder();
    const data = path.join(folder.path, "data");
    await mkdir(data);
    const folders: string[] = [];
    for (const { name, code } of [...handlers, { name: "calm", code: "", status: 200 }]) {
      const at = path.join(folder.path, name);
      await writePlugin(at, {
        id: `f-${name}`,
        head: `import { EventEmitter } from "node:events"; import fs from "node:fs"; import { Worker } from "node:worker_threads"; const name = "fault of ${name}";`,
        activate: `context.routes([defineRoute({ method: "POST", path: "/api/f-${name}", access: "viewer", summary: "fails", handle: async () => { ${code} return {}; } })]);`,
      });
      folders.push(at);
    }
    await using program = await Program.start(
      { LONGBOX_DATA: data },
      folders.flatMap((one) => ["--plugin", one]),
    );
    const answers = await Promise.all(handlers.map(({ name }) => program.admin.post(`/api/f-${name}`)));
    expect(answers.map(({ status }, at) => [handlers[at]!.name, status])).toEqual(
      handlers.map(({ name, status }) => [name, status]),
    );
    const faults = async () =>
      Object.fromEntries(
        ((await program.admin.get("/api/plugins")).body as Array<{ name: string; faults: number }>).map((row) => [
          row.name,
          row.faults,
        ]),
      );
    const expected = { ...Object.fromEntries(handlers.map(({ name }) => [`f-${name}`, 1])), "f-calm": 0 };
    const all = async () => JSON.stringify(Object.entries(await faults()).sort());
    const wanted = JSON.stringify(Object.entries(expected).sort());
    await until(async () => (await all()) === wanted, 15_000).catch(() => undefined);
    expect(await faults()).toEqual(expected);
    const states = (await program.admin.get("/api/plugins")).body as Array<{ state: string }>;
    expect(states.every(({ state }) => state === "active")).toBe(true);
    expect((await program.admin.post("/api/f-calm")).status).toBe(200);
  },
);
