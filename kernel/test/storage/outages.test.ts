// PostgreSQL goes away and comes back, and is killed, below a whole server and below the storage.
import { chmod } from "node:fs/promises";
import { Aim, chooseSeed } from "@longbox/test/killing";
import { runsLongTests } from "@longbox/test/needs";
import { needsPostgres, startPostgres, type TestPostgres } from "@longbox/test/postgres";
import { migration } from "@longbox/sdk";
import { sql, type Kysely } from "kysely";
import { describe, expect, it } from "vitest";
import type { Storing } from "../../dist/storage/index.js";
import { PostgresStoring } from "../../dist/storage/owners/postgres-storing.js";
import { Program } from "../plugins/program.js";
import { temporaryFolder, until, writePlugin } from "../plugins/support.js";
import { keepingLog } from "./storage-folder.js";

/** How often PostgreSQL is killed in each kind of work. */
const kills = runsLongTests ? 50 : 2;
const seed = chooseSeed();
const away = { status: 503, body: { code: "kernel/database-away" } };

const counter = {
  id: "counter",
  head: `import { migration } from "@longbox/sdk";`,
  fields: `migrations: [migration("0001-count", async ({ schema, types }) => {
    await schema.createTable("counted").addColumn("number", types.id, types.numbered).addColumn("said", types.text).execute();
  })]`,
  activate: `const database = context.storage.database();
    context.routes([
      defineRoute({ method: "GET", path: "/api/plain", access: "viewer", summary: "needs no row", handle: () => ({ plain: true }) }),
      defineRoute({ method: "GET", path: "/api/count", access: "viewer", summary: "counts",
        handle: async () => ({ count: (await database.selectFrom("counted").selectAll().execute()).length }) }),
      defineRoute({ method: "POST", path: "/api/count", access: "viewer", summary: "adds one",
        handle: async () => database.insertInto("counted").values({ said: "one" }).returning("number").executeTakeFirstOrThrow() }),
    ]);`,
};

/** Starts the program with the plugin that counts. */
async function startCounting(folder: string, server: TestPostgres): Promise<Program> {
  await writePlugin(`${folder}/counter`, counter);
  const environment = { LONGBOX_DATA: `${folder}/data`, LONGBOX_DATABASE: server.url };
  return Program.start(environment, ["--plugin", `${folder}/counter`]);
}

const answers = (program: Program, path: string, status: number) =>
  until(async () => (await program.admin.get(path)).status === status);

describe("a server whose PostgreSQL is away", needsPostgres, () => {
  it("answers 503 with a code of its own, goes on with what needs no row, and recovers by itself", async () => {
    await using server = await startPostgres("durable");
    await using folder = await temporaryFolder();
    await using program = await startCounting(folder.path, server);
    await answers(program, "/api/count", 200);
    expect((await program.admin.post("/api/count")).body).toEqual({ number: 1 });
    for (let time = 1; time <= 3; time += 1) {
      await server.kill();
      expect(await program.admin.post("/api/count")).toMatchObject(away);
      expect((await program.admin.get("/api/count")).headers.get("retry-after")).toBe("2");
      expect((await program.admin.get("/api/plain")).body).toEqual({ plain: true });
      // More failures than a plugin may have.
      const refused = await Promise.all(Array.from({ length: 30 }, () => program.admin.get("/api/count")));
      expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 503));
      await server.start();
      expect((await program.admin.get("/api/count")).body).toEqual({ count: time });
      expect((await program.admin.post("/api/count")).status).toBe(200);
    }
    expect((await program.admin.get("/api/plugins")).body).toMatchObject([{ name: "counter", state: "active" }]);
    expect(program.log.filter((line) => line.includes("It ends"))).toEqual([]);
  });

  it("starts without it, says so, and serves once it is there", async () => {
    await using server = await startPostgres("durable");
    await using folder = await temporaryFolder();
    await server.stop();
    {
      await using program = await startCounting(folder.path, server);
      expect(await program.admin.get("/api/count")).toMatchObject(away);
      expect(await program.admin.get("/healthz")).toMatchObject(away);
      await server.start();
      await answers(program, "/api/count", 200);
      expect((await program.admin.post("/api/count")).body).toEqual({ number: 1 });
    }
    await server.kill();
    await using program = await startCounting(folder.path, server);
    expect(await program.admin.get("/api/count")).toMatchObject(away);
    await server.start();
    await answers(program, "/api/count", 200);
    expect((await program.admin.get("/api/count")).body).toEqual({ count: 1 });
  });
});

const steps = [
  migration("0001-two-halves", async ({ schema, types }) => {
    for (const table of ["one_half", "other_half"])
      await schema
        .createTable(table)
        .addColumn("number", types.id, (column) => column.primaryKey())
        .execute();
  }),
];

interface Work {
  readonly name: string;
  /** Does one piece of it, and says which numbers hold once it has settled. */
  run(storing: Storing, number: number): Promise<void>;
}

async function putBoth(database: Kysely<any>, number: number): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await transaction.insertInto("one_half").values({ number }).execute();
    await transaction.insertInto("other_half").values({ number }).execute();
  });
}

/** A step that moves every row; each number has its own. */
const movingStep = (number: number) =>
  migration(`1${String(number).padStart(4, "0")}-moving`, async ({ schema, types, database }) => {
    const name = `moved_${number}`;
    await schema
      .createTable(name)
      .addColumn("number", types.id, (column) => column.primaryKey())
      .execute();
    await database
      .insertInto(name)
      .columns(["number"])
      .expression(database.selectFrom("one_half").select("number"))
      .execute();
    await schema.dropTable(name).execute();
  });

const works: readonly Work[] = [
  {
    name: "write",
    async run(storing, number) {
      const storage = await storing.open("shelves");
      await putBoth(storage.database<any>(), number).finally(() => storage.release());
    },
  },
  {
    name: "upgrade and migrate",
    async run(storing, number) {
      const trial = await storing.trial("shelves");
      try {
        await trial.storage.migrate([...steps, ...Array.from({ length: number }, (_, index) => movingStep(index + 1))]);
        await putBoth(trial.storage.database<any>(), number);
        await trial.adopt();
      } catch (fault) {
        await trial.discard();
        throw fault;
      }
      await trial.storage.release();
    },
  },
];

/** Works until PostgreSQL is killed, in the middle of a piece if it can be. @returns what was acknowledged */
async function workUntilKilled(work: Work, storing: Storing, from: number, kill: () => Promise<void>, aimMs: number) {
  let acknowledged = from;
  let killing: Promise<void> | undefined;
  const timer = setTimeout(() => (killing = kill()), aimMs);
  try {
    for (;;) {
      await work.run(storing, acknowledged + 1);
      acknowledged += 1;
    }
  } catch (fault) {
    expect(fault).toMatchObject({ code: "kernel/database-away" });
  } finally {
    clearTimeout(timer);
    await killing;
  }
  return acknowledged;
}

async function numbersOf(storing: Storing): Promise<{ one: number[]; other: number[] }> {
  const storage = await storing.open("shelves");
  const read = async (table: string) =>
    (await storage.database<any>().selectFrom(table).select("number").orderBy("number").execute()).map(
      ({ number }) => number as number,
    );
  try {
    return { one: await read("one_half"), other: await read("other_half") };
  } finally {
    await storage.release();
  }
}

describe("a PostgreSQL whose socket may not be opened", needsPostgres, () => {
  it("counts as away, and works again once it may", async () => {
    await using server = await startPostgres();
    await using folder = await temporaryFolder();
    const storing = new PostgresStoring({ folder: folder.path, log: keepingLog() }, server.url);
    const database = (await storing.open("kernel")).database<any>();
    const ask = () => sql`select 1 as one`.execute(database).then(({ rows }) => rows);
    expect(await ask()).toEqual([{ one: 1 }]);
    await server.kill();
    await server.start();
    const sockets = new URL(server.url).searchParams.get("host")!;
    const isRoot = process.geteuid?.() === 0;
    await chmod(sockets, isRoot ? 0o700 : 0o000);
    // An administrator of the machine may open all sockets.
    if (isRoot) process.seteuid!("nobody");
    try {
      for (let times = 1; times <= 2; times += 1)
        await expect(ask()).rejects.toMatchObject({ code: "kernel/database-away", cause: { code: "EACCES" } });
    } finally {
      if (isRoot) process.seteuid!(0);
      await chmod(sockets, 0o711);
    }
    expect(await ask()).toEqual([{ one: 1 }]);
    await storing.release();
  });
});

describe("a PostgreSQL that is killed", needsPostgres, () => {
  it.each(works)(
    "keeps what was acknowledged, whole, while it was busy to $name",
    { timeout: 60_000 + kills * 20_000, meta: { seed } },
    async (work) => {
      await using server = await startPostgres("durable");
      await using folder = await temporaryFolder();
      const storing = new PostgresStoring({ folder: folder.path, log: keepingLog() }, server.url);
      const storage = await storing.open("shelves");
      await storage.migrate(steps);
      await storage.release();
      const aim = new Aim(seed);
      await aim.measure(work.name, () => work.run(storing, 1));
      aim.tookMs.set(work.name, Math.max(20, aim.tookMs.get(work.name)! * 3));
      let kept = 1;
      for (let kill = 0; kill < kills; kill += 1) {
        const said = await workUntilKilled(work, storing, kept, () => server.kill(), aim.instantMs(work.name));
        await server.start();
        const { one, other } = await numbersOf(storing);
        expect(other).toEqual(one);
        expect(one).toEqual(Array.from({ length: one.length }, (_, index) => index + 1));
        // A commit whose answer was lost may hold, and no more than that one.
        expect([said, said + 1]).toContain(one.length);
        kept = one.length;
      }
      await storing.release();
    },
  );
});
