import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { contract, definePlugin } from "@longbox/sdk";
import { startKernelTestHost, type KernelTestHost, type KernelTestHostOptions } from "@longbox/kernel/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { probeFence } from "../../src/plugins/isolated/fence/fence.js";
import { writePlugin, type TinyPlugin } from "../plugins/support.js";

interface Clock {
  tellTime(zone: string): Promise<string>;
  onTick(listener: (count: number) => void): { release(): void | Promise<void> };
}
const Clock = contract<Clock>("clock", "1.0.0");
interface Shelf {
  count(): Promise<number>;
}
const ShelfToken = contract<Shelf>("shelf", "1.0.0");

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), "longbox-isolated-"))));
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

const shelf: TinyPlugin = {
  id: "shelf",
  manifest: { requires: { clock: "^1.0.0" }, provides: { shelf: "1.0.0" }, events: [{ domain: "shelf" }] },
  head: `import { z } from "zod"; import { pluginMessages } from "@longbox/sdk/messages"; const say = pluginMessages(import.meta.url);`,
  files: {
    "messages/en.json": JSON.stringify({ messages: { books: "{count, plural, one {One book} other {# books}}" } }),
  },
  fields: `
    requires: { clock: contract("clock", "1.0.0") },
    settings: z.object({ title: z.string().trim().default("Books").refine((title) => title !== "Nothing", "must say something").meta({ title: "Title" }) }),
    migrations: [{ name: "0001", up: ({ schema, types }) => schema.createTable("book").addColumn("id", types.id, types.numbered).addColumn("name", types.text, (c) => c.notNull()).execute() }]`,
  activate: `
    const database = context.storage.database();
    let ticks = 0;
    context.own(capabilities.clock.onTick((count) => (ticks = count)));
    context.provide(contract("shelf", "1.0.0"), { count: async () => (await database.selectFrom("book").selectAll().execute()).length });
    context.routes([
      defineRoute({ method: "GET", path: "/api/shelf", summary: "list", query: z.object({ most: z.coerce.number().int().max(9).default(5) }),
        response: z.object({ pid: z.number() }),
        handle: async ({ query, viewer }) => ({ pid: process.pid, title: context.settings.current.title, most: query.most, ticks, user: viewer.user.username, said: await say("books", { count: 2 }),
          manages: viewer.may("library.manage"), time: await capabilities.clock.tellTime("utc"), books: await database.selectFrom("book").select("name").orderBy("id").execute() }) }),
      defineRoute({ method: "POST", path: "/api/shelf", access: "library.view", summary: "add", body: z.object({ names: z.array(z.string().min(1)) }),
        handle: async ({ body }) => {
          await database.transaction().execute(async (transaction) => {
            for (const name of body.names) await transaction.insertInto("book").values({ name }).execute();
            if (body.names.includes("none")) throw new Error("undone");
          });
          context.changed("shelf");
          return reply.created({ added: body.names.length });
        } }),
    ]);`,
};

const undecided: TinyPlugin = {
  id: "undecided",
  head: `import { z } from "zod";`,
  files: { messages: "no folder" },
  fields: `settings: z.object({ title: z.string().default("Books").meta({ title: "Title" }) }).refine(({ title }) => { while (title !== "Books"); return true; })`,
  activate: "",
};

/** Replaces the function that checks the settings of the plugin. */
const garbled: TinyPlugin = {
  id: "garbled",
  head: `import { z } from "zod"; const settings = z.object({ title: z.string().default("Books").meta({ title: "Title" }) }).refine(() => true);
    const parse = settings.safeParse.bind(settings);
    const answers = { garbage: { no: "list" }, late: new Promise(() => {}), half: [{ path: "title" }] };
    settings.safeParse = (values) => (values?.title in answers ? { success: false, error: { issues: { map: () => answers[values.title] } } } : parse(values));`,
  fields: "settings",
  activate: "",
};

const curious: TinyPlugin = {
  id: "curious",
  head: `import { z } from "zod"; import { sql } from "kysely"; import fs from "node:fs"; import { execSync } from "node:child_process"; import { Worker } from "node:worker_threads";
    const attempt = async (work) => { try { return (await work()) ?? "done"; } catch (fault) { return fault.code ?? fault.message; } };`,
  activate: `
    const { folder } = context.storage;
    context.routes([
      defineRoute({ method: "POST", path: "/api/curious", access: "library.view", summary: "look around", body: z.object({ data: z.string() }),
        handle: async ({ body }) => ({
          passwords: await attempt(() => fs.readFileSync("/etc/passwd", "utf8")),
          data: await attempt(() => fs.readdirSync(body.data)),
          child: await attempt(() => execSync("id").toString()),
          thread: await attempt(() => new Worker("1", { eval: true }) && "started"),
          attach: await attempt(() => sql\`attach database '/tmp/x.sqlite' as x\`.execute(context.storage.database())),
          own: await attempt(() => (fs.writeFileSync(folder + "/own", "written"), fs.readFileSync(folder + "/own", "utf8"))),
          environment: Object.keys(process.env).filter((name) => name !== "TZ" && name !== "PWD"),
        }) }),
      defineRoute({ method: "POST", path: "/api/curious/abort", access: "library.view", summary: "end", handle: () => process.abort() }),
    ]);`,
};

const clock = {
  manifest: { id: "clock", title: "Clock", description: "", sdk: "^1.0.0", provides: { clock: "1.0.0" } },
  plugin: definePlugin({
    activate(_, context) {
      const topic = context.topic<number>("tick");
      context.provide(Clock, {
        tellTime: async (zone: string) => {
          topic.publish(7);
          return `noon ${zone}`;
        },
        onTick: (listener: (count: number) => void) => topic.subscribe(listener),
      });
    },
  }),
};

async function hostOf(plugin: TinyPlugin, options: KernelTestHostOptions = {}): Promise<KernelTestHost> {
  const at = path.join(folder, plugin.id);
  await writePlugin(at, plugin);
  return startKernelTestHost({ plugins: [clock, at], isolated: [plugin.id], ...options });
}

/** What is still called must not be let go of. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  await setImmediate();
}

describe("An isolated plugin", () => {
  it.each([["memory"], ["sqlite"]] as const)(
    "answers, stores, tells and is told as others do (%s)",
    async (storage) => {
      await using host = await hostOf(shelf, { storage });
      const events = await host.domains("viewer");
      const first = await host.as("viewer").get("/api/shelf");
      expect(first.body).toMatchObject({
        title: "Books",
        most: 5,
        user: "viewer",
        manages: false,
        time: "noon utc",
        said: { en: "2 books" },
        books: [],
      });
      expect(first.body.pid).not.toBe(process.pid);
      expect((await host.as("viewer").post("/api/shelf", { names: ["One", "Two"] })).status).toBe(201);
      await events.until("shelf");
      expect((await host.as("viewer").post("/api/shelf", { names: ["Three", "none"] })).status).toBe(500);
      await collectGarbage();
      expect(await host.as("admin").post("/api/settings", { shelf: { title: "Nothing" } })).toMatchObject({
        status: 400,
        body: { code: "kernel/settings-do-not-fit", details: { "shelf.title": "must say something" } },
      });
      const changed = await host.as("admin").post("/api/settings", { shelf: { title: " Rolls " } });
      expect(changed.status).toBe(200);
      await expect
        .poll(async () => (await host.as("admin").get("/api/shelf?most=9")).body)
        .toMatchObject({
          title: "Rolls",
          most: 9,
          manages: true,
          ticks: 7,
          books: [{ name: "One" }, { name: "Two" }],
        });
      expect(await host.use(ShelfToken).count()).toBe(2);
      expect((await host.as("viewer").get("/api/shelf?most=10")).body).toMatchObject({
        code: "kernel/invalid-input",
        details: { most: expect.any(String) },
      });
      await events.release();
    },
  );

  it.for(["bubblewrap", "node"] as const)("reaches nothing but its folders (%s)", async (fence, { skip }) => {
    skip(fence === "bubblewrap" && (await probeFence()) !== "bubblewrap", "bubblewrap does not work on this machine");
    await using host = await hostOf(curious, { storage: "sqlite", kernel: { plugins: { isolation: { fence } } } });
    const { body } = await host.as("viewer").post("/api/curious", { data: host.dataFolder });
    expect(body).toMatchObject({
      passwords: "ERR_ACCESS_DENIED",
      data: "ERR_ACCESS_DENIED",
      child: "ERR_ACCESS_DENIED",
      thread: "ERR_ACCESS_DENIED",
      attach: "kernel/statement-refused",
      own: "written",
      environment: [],
    });
  });

  it("is ended when its check of settings never ends, and nothing is changed", async () => {
    await using host = await hostOf(undecided);
    const admin = host.as("admin");
    expect(await admin.post("/api/settings", { undecided: { title: "Rolls" } })).toMatchObject({
      status: 503,
      body: { code: "kernel/isolated-ended" },
    });
    expect((await admin.get("/api/settings")).body).toMatchObject({ undecided: { title: "Books" } });
    // That its messages are a file does not break the texts of others.
    expect((await admin.get("/api/plugins/texts?language=de")).status).toBe(200);
  });

  it.each([
    ["garbage", "gave no list of issues"],
    ["half", "gave no list of issues"],
    ["late", "did not check the settings within 10 seconds"],
  ])(
    "changes no settings when it answers their check with what is none (%s)",
    { timeout: 60_000 },
    async (title, why) => {
      await using host = await hostOf(garbled);
      const admin = host.as("admin");
      expect(await admin.post("/api/settings", { garbled: { title } })).toMatchObject({
        status: 503,
        body: { code: "kernel/settings-not-checked", error: expect.stringContaining(why) },
      });
      expect((await admin.get("/api/settings")).body).toMatchObject({ garbled: { title: "Books" } });
      expect((await admin.post("/api/settings", { garbled: { title: "Rolls" } })).status).toBe(200);
      expect(host.kernel.host.row("garbled")).toMatchObject({ state: "active", faults: 0 });
    },
  );

  it("takes nothing with it when it ends", async () => {
    await using host = await hostOf(curious);
    const [ended, other] = await Promise.all([
      host.as("viewer").post("/api/curious/abort"),
      host.as("viewer").get("/healthz"),
    ]);
    expect(ended).toMatchObject({ status: 503, body: { code: "kernel/isolated-ended" } });
    expect(other.status).toBe(200);
    await expect.poll(() => host.kernel.host.row("curious").faults, { timeout: 10_000 }).toBe(1);
  });
});
