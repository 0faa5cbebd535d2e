import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Program } from "./program.js";
import { Bench, temporaryFolder, type TinyPlugin } from "./support.js";

const instants = process.env["LONGBOX_LONG_TESTS"] === "1" ? 100 : 15;
const table = `sqlMigration("0001", ["CREATE TABLE note (n INTEGER)"])`;

const notes = (version: string, migrations: string): TinyPlugin => ({
  id: "notes",
  version,
  head: `import { z } from "zod";`,
  fields: `migrations: [${migrations}]`,
  activate: `const database = context.storage.database(); const version = context.plugin.version;
    context.routes([
      defineRoute({ method: "POST", path: "/api/notes/{n}", access: "viewer", summary: "adds", params: z.object({ n: z.string() }), handle: async ({ params }) => { await database.insertInto("note").values({ n: Number(params.n) }).execute(); return {}; } }),
      defineRoute({ method: "GET", path: "/api/notes", summary: "lists", handle: async () => ({ version, notes: (await database.selectFrom("note").select("n").execute()).map((row) => row.n) }) })]);`,
});

interface Step {
  readonly from: string | undefined;
  readonly to: string | undefined;
  run(program: Program): Promise<unknown>;
}

const install = (version: string) => (program: Program) => program.admin.post("/api/plugins/install", { name: "@longbox-test/notes", version });
/** Round and round through everything that changes what is installed. */
const steps: readonly Step[] = [
  { from: undefined, to: "1.0.0", run: install("1.0.0") },
  { from: "1.0.0", to: "1.1.0", run: install("1.1.0") },
  { from: "1.1.0", to: "1.0.0", run: (program) => program.admin.post("/api/plugins/notes/rollback") },
  { from: "1.0.0", to: "2.0.0", run: install("2.0.0") },
  { from: "2.0.0", to: undefined, run: (program) => program.admin.post("/api/plugins/uninstall", { name: "notes", purge: true }) },
];

describe("kill -9", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
    await bench.publish(notes("1.0.0", table));
    await bench.publish(notes("1.1.0", table));
    await bench.publish(notes("2.0.0", `${table}, sqlMigration("0002", ["ALTER TABLE note ADD COLUMN more TEXT NOT NULL DEFAULT 'x'"])`));
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  it(`at ${instants} random instants leaves exactly the old or the new state, with everything that was acknowledged`, { timeout: instants * 8_000 }, async () => {
    await using data = await temporaryFolder();
    const start = () => Program.start({ LONGBOX_DATA: data.path, LONGBOX_REGISTRY: bench.registry.url });
    let acknowledged: number[] = [];
    let next = 0;
    const add = async (program: Program) => {
      const n = next++;
      const { status } = await program.admin.post(`/api/notes/${n}`);
      if (status === 200) acknowledged.push(n);
    };
    let program = await start();
    let last = 0;
    for (let instant = 0; instant < instants; instant += 1) {
      const step = steps[instant % steps.length]!;
      if (step.from !== undefined) for (let i = 0; i < 3; i += 1) await add(program);
      const writing = step.from !== undefined && step.to !== undefined ? write(() => add(program)) : undefined;
      const work = step.run(program).catch(() => undefined);
      // Most operations take a few hundred milliseconds; the instants are spread over that and a little more.
      await new Promise((resolve) => setTimeout(resolve, (last = (last * 7_919 + 113) % 450)));
      await program.kill();
      await work;
      await writing?.end();
      program = await start();
      const found = await state(program, data.path);
      expect([step.from, step.to]).toContain(found.version);
      expect(found.rows.length).toBe(found.version === undefined ? 0 : 1);
      if (found.version !== undefined) expect({ instant, missing: acknowledged.filter((n) => !found.notes.includes(n)), twice: found.notes.length - new Set(found.notes).size }).toEqual({ instant, missing: [], twice: 0 });
      if (found.version !== step.to) await step.run(program);
      const reached = await state(program, data.path);
      expect(reached.version).toBe(step.to);
      if (step.to === undefined) {
        acknowledged = [];
        expect(existsSync(path.join(data.path, "plugins", "data", "notes"))).toBe(false);
      }
    }
    await program[Symbol.asyncDispose]();
  });
});

/** Goes on writing, one after the other, until it is told to end or nobody answers. */
function write(add: () => Promise<void>): { end(): Promise<void> } {
  let going = true;
  const loop = (async () => {
    while (going) await add();
  })().catch(() => undefined);
  return {
    end() {
      going = false;
      return loop;
    },
  };
}

async function state(program: Program, data: string): Promise<{ version: string | undefined; notes: number[]; rows: unknown[] }> {
  const rows: Array<{ version: string; state: string; reason?: string }> = (await program.admin.get("/api/plugins")).body;
  expect(readdirSync(path.join(data, "plugins", "staging"))).toEqual([]);
  if (rows.length === 0) return { version: undefined, notes: [], rows };
  expect(rows[0]).toMatchObject({ state: "active" });
  const { body } = await program.admin.get("/api/notes");
  expect(body.version).toBe(rows[0]!.version);
  return { version: body.version, notes: body.notes, rows };
}
