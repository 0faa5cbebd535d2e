import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Aim, chooseSeed } from "@longbox/test/killing";
import { runsLongTests } from "@longbox/test/needs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Program } from "./program.js";
import { Bench, temporaryFolder, type TinyPlugin } from "./support.js";

/** So many kills have to land in the middle of each step; at most `tries` are aimed at each. */
const hits = runsLongTests ? 60 : 1;
const tries = hits * 15;
const seed = chooseSeed();
const table = `statements("0001", ["CREATE TABLE note (n INTEGER)"])`;

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
  readonly name: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
  run(program: Program): Promise<{ readonly status: number }>;
}

const install = (version: string) => (program: Program) =>
  program.admin.post("/api/plugins/install", { name: "@longbox-test/notes", version, accept: true });
/** Round and round through everything that changes what is installed. */
const steps: readonly Step[] = [
  { name: "install", from: undefined, to: "1.0.0", run: install("1.0.0") },
  { name: "upgrade", from: "1.0.0", to: "1.1.0", run: install("1.1.0") },
  { name: "rollback", from: "1.1.0", to: "1.0.0", run: (program) => program.admin.post("/api/plugins/notes/rollback") },
  { name: "migrate", from: "1.0.0", to: "2.0.0", run: install("2.0.0") },
  {
    name: "purge",
    from: "2.0.0",
    to: undefined,
    run: (program) => program.admin.post("/api/plugins/uninstall", { name: "notes", purge: true }),
  },
];

describe("kill -9", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
    await bench.publish(notes("1.0.0", table));
    await bench.publish(notes("1.1.0", table));
    await bench.publish(
      notes("2.0.0", `${table}, statements("0002", ["ALTER TABLE note ADD COLUMN more TEXT NOT NULL DEFAULT 'x'"])`),
    );
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  it(
    "criterion 8: in the middle of every step leaves exactly the old or the new state, with everything that was acknowledged",
    { timeout: tries * steps.length * 10_000, meta: { seed } },
    async () => {
      await using data = await temporaryFolder();
      const start = () => Program.start({ LONGBOX_DATA: data.path, LONGBOX_REGISTRY: bench.registry.url });
      const aim = new Aim(seed);
      const notes = new Notes();
      let program = await start();
      for (const step of steps) {
        expect((await aim.measure(step.name, () => step.run(program))).status).toBe(200);
        if (step.to !== undefined) await notes.add(program);
        else notes.forget();
      }
      for (let round = 0; round < tries && !aim.hasHit(stepNames, hits); round += 1) {
        for (const step of steps) {
          await killDuring(step, { program, data: data.path, aim, notes });
          program = await start();
          await expectOldOrNew(step, program, { data: data.path, aim, notes });
        }
      }
      await program[Symbol.asyncDispose]();
      expect(aim.hasHit(stepNames, hits), JSON.stringify([...aim.landed])).toBe(true);
      // Three before each step that begins with the plugin, and those that came during the step.
      expect(notes.acknowledgedEver).toBeGreaterThanOrEqual(hits * 4 * 3);
    },
  );
});

const stepNames = steps.map(({ name }) => name);

/** What was acknowledged since the plugin's data was last purged. */
class Notes {
  acknowledged: number[] = [];
  acknowledgedEver = 0;
  #next = 0;

  async add(program: Program): Promise<void> {
    const n = this.#next++;
    const { status } = await program.admin.post(`/api/notes/${n}`);
    if (status !== 200) return;
    this.acknowledged.push(n);
    this.acknowledgedEver += 1;
  }

  forget(): void {
    this.acknowledged = [];
  }
}

interface Killing {
  readonly program: Program;
  readonly data: string;
  readonly aim: Aim;
  readonly notes: Notes;
}

/**
 * Kills within the time that the step takes, and notes whether it was in the middle: begun on disk, and not answered.
 */
async function killDuring(step: Step, { program, data, aim, notes }: Killing): Promise<void> {
  if (step.from !== undefined) for (let i = 0; i < 3; i += 1) await notes.add(program);
  const before = traces(data);
  const writing = step.from !== undefined && step.to !== undefined ? write(() => notes.add(program)) : undefined;
  let isKilled = false;
  let isAnswered = false;
  const work = aim
    .measure(step.name, () => step.run(program))
    .then(
      ({ status }) => {
        expect(status).toBe(200);
        isAnswered = !isKilled;
      },
      (fault: unknown) => {
        if (!isKilled) throw fault;
      },
    );
  await Promise.all([work, new Promise((resolve) => setTimeout(resolve, aim.instantMs(step.name))).then(kill)]);
  async function kill() {
    isKilled = true;
    await program.kill();
  }
  await writing?.end();
  aim.note(step.name, isAnswered ? "late" : traces(data) === before ? "early" : "middle");
}

/** What a step changes on disk, by names: what is staged, stored and kept of plugins, and what the lock file says. */
function traces(data: string): string {
  const names = ["plugins", "plugins/staging", "plugins/store", "plugins/data", "plugins/data/notes"].map((folder) => {
    const entries = existsSync(path.join(data, folder)) ? readdirSync(path.join(data, folder)) : [];
    return [folder, entries.filter((name) => !/-(wal|shm)$/.test(name)).sort()];
  });
  const lock = path.join(data, "plugins.lock.json");
  return JSON.stringify([names, existsSync(lock) ? readFileSync(lock, "utf8") : ""]);
}

async function expectOldOrNew(
  step: Step,
  program: Program,
  { data, aim, notes }: Omit<Killing, "program">,
): Promise<void> {
  const found = await state(program, data);
  expect([step.from, step.to]).toContain(found.version);
  expect(found.rows.length).toBe(found.version === undefined ? 0 : 1);
  if (found.version !== undefined)
    expect({
      missing: notes.acknowledged.filter((n) => !found.notes.includes(n)),
      twice: found.notes.length - new Set(found.notes).size,
    }).toEqual({ missing: [], twice: 0 });
  if (found.version !== step.to) expect((await aim.measure(step.name, () => step.run(program))).status).toBe(200);
  expect((await state(program, data)).version).toBe(step.to);
  if (step.to !== undefined) return;
  notes.forget();
  expect(existsSync(path.join(data, "plugins", "data", "notes"))).toBe(false);
}

/** Goes on writing, one after the other, until it is told to end or there is no answer. */
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

async function state(
  program: Program,
  data: string,
): Promise<{ version: string | undefined; notes: number[]; rows: unknown[] }> {
  const rows: Array<{ version: string; state: string; reason?: string }> = (await program.admin.get("/api/plugins"))
    .body;
  expect(readdirSync(path.join(data, "plugins", "staging"))).toEqual([]);
  if (rows.length === 0) return { version: undefined, notes: [], rows };
  expect(rows[0]).toMatchObject({ state: "active" });
  const { body } = await program.admin.get("/api/notes");
  expect(body.version).toBe(rows[0]!.version);
  return { version: body.version, notes: body.notes, rows };
}
