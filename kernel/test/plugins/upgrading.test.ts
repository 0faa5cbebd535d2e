import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { KernelLogs } from "@longbox/sdk";
import { needsSqliteFiles } from "@longbox/test/needs";
import { DatabaseSync } from "node:sqlite";
import type { KernelTestHost } from "@longbox/kernel/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answering, Bench, install, until, type TinyPlugin } from "./support.js";

/** Counts what it was told, and says which version answers. The second version has another table. */
function counter(version: string, fields: string, column: string): TinyPlugin {
  return {
    id: "counter",
    version,
    fields,
    activate: `const database = context.storage.database();
      const version = context.plugin.version;
      context.routes([
        defineRoute({ method: "POST", path: "/api/counter/{n}", access: "viewer", summary: "adds", params: (await import("zod")).z.object({ n: (await import("zod")).z.string() }),
          handle: async ({ params }) => { await database.insertInto("note").values({ ${column}: params.n }).execute(); return { version }; } }),
        defineRoute({ method: "GET", path: "/api/counter", summary: "lists", handle: async () => ({ version, notes: (await database.selectFrom("note").select("${column} as n").execute()).map((row) => row.n) }) })]);`,
  };
}
const first = `statements("0001", ["CREATE TABLE note (text TEXT)"])`;
const second = `statements("0002", ["ALTER TABLE note RENAME COLUMN text TO words", "ALTER TABLE note ADD COLUMN extra INTEGER NOT NULL DEFAULT 7"])`;

describe("upgrading", () => {
  let bench: Bench;
  beforeAll(async () => void (bench = await Bench.open()));
  afterAll(() => bench[Symbol.asyncDispose]());

  it("loses no request and no acknowledged write while a plugin with a migration is upgraded under load", async () => {
    await bench.publish(counter("1.0.0", `migrations: [${first}]`, "text"));
    await bench.publish(counter("2.0.0", `migrations: [${first}, ${second}]`, "words"));
    await using host = await bench.host();
    await install(host, "@longbox-test/counter", "1.0.0");
    const answers: Array<{ n: number; begunAt: number; answeredAt: number; status: number; version: string }> = [];
    const viewer = host.as("viewer");
    let sent = 0;
    let go = true;
    const pending = new Set<Promise<void>>();
    const ticking = setInterval(() => {
      if (!go) return;
      const n = sent++;
      const begunAt = performance.now();
      const one = viewer
        .post(`/api/counter/${n}`)
        .then(
          ({ status, body }) =>
            void answers.push({ n, begunAt, answeredAt: performance.now(), status, version: body.version }),
        );
      pending.add(one);
      void one.finally(() => pending.delete(one));
    }, 5);
    await until(() => answers.length > 50);
    await install(host, "@longbox-test/counter", "2.0.0");
    const after = answers.length;
    await until(() => answers.length > after + 50);
    go = false;
    clearInterval(ticking);
    await Promise.all(pending);
    expect(answers.filter((answer) => answer.status !== 200)).toEqual([]);
    const firstNew = Math.min(
      ...answers.filter((answer) => answer.version === "2.0.0").map((answer) => answer.answeredAt),
    );
    expect(answers.filter((answer) => answer.begunAt > firstNew && answer.version === "1.0.0")).toEqual([]);
    const { body } = await viewer.get("/api/counter");
    expect(body.version).toBe("2.0.0");
    expect(body.notes.map(Number).sort((a: number, b: number) => a - b)).toEqual([...Array(sent).keys()]);
  });

  it("lets a slow download that began on the old version end there while new requests go to the new one", async () => {
    const slow = (version: string): TinyPlugin => ({
      id: "slow",
      version,
      head: `import { Readable } from "node:stream";`,
      activate: `let finish; const held = new Promise((resolve) => (finish = resolve)); globalThis.__finishSlow ??= finish;
        context.routes([
          defineRoute({ method: "GET", path: "/api/slow", summary: "slow", handle: () => reply.content({ kind: "stream", contentType: "text/plain", stream: Readable.from((async function* () { yield "begun on ${version}, "; await held; yield "ended on " + context.plugin.version; })()) }) }),
          defineRoute({ method: "GET", path: "/api/slow/version", summary: "v", handle: () => "${version}" })]);`,
    });
    await bench.publish(slow("1.0.0"));
    await bench.publish(slow("2.0.0"));
    await using host = await bench.host();
    await install(host, "@longbox-test/slow", "1.0.0");
    const viewer = host.as("viewer");
    const download = viewer.get("/api/slow");
    await until(() => (host.kernel.host.fleet.members.get("slow")?.running?.activation.inFlight ?? 0) > 0);
    await install(host, "@longbox-test/slow", "2.0.0");
    expect((await viewer.get("/api/slow/version")).body).toBe("2.0.0");
    (globalThis as unknown as { __finishSlow(): void }).__finishSlow();
    expect((await download).body).toBe("begun on 1.0.0, ended on 1.0.0");
  });

  it("leaves the old version serving on its data when the new one does not start", async () => {
    await bench.publish({
      ...counter("1.0.0", `migrations: [${first}]`, "text"),
      id: "sturdy",
      package: "@longbox-test/sturdy",
    });
    const broken = {
      id: "sturdy",
      version: "2.0.0",
      fields: `migrations: [${first}, statements("0002", ["DROP TABLE note"])]`,
      activate: `throw new Error("no luck today");`,
    };
    await bench.publish(broken);
    await using host = await bench.host();
    await install(host, "@longbox-test/sturdy", "1.0.0");
    const viewer = host.as("viewer");
    await viewer.post("/api/counter/1");
    const answer = await host.as("admin").post("/api/plugins/install", { name: "sturdy", version: "2.0.0" });
    expect(answer).toMatchObject({
      status: 409,
      body: { code: "kernel/upgrade-failed", error: expect.stringContaining("no luck today") },
    });
    await viewer.post("/api/counter/2");
    expect((await viewer.get("/api/counter")).body).toEqual({ version: "1.0.0", notes: ["1", "2"] });
    expect((await host.as("admin").get("/api/plugins/sturdy")).body).toMatchObject({
      version: "1.0.0",
      state: "active",
    });
    await host.restart();
    expect((await viewer.get("/api/counter")).body).toEqual({ version: "1.0.0", notes: ["1", "2"] });
  });

  it(
    "rolls back to the version before, with the data from before where the old code cannot read the new",
    needsSqliteFiles,
    async () => {
      await bench.publish({
        ...counter("1.0.0", `migrations: [${first}]`, "text"),
        id: "back",
        package: "@longbox-test/back",
      });
      await bench.publish({
        ...counter(
          "2.0.0",
          `migrations: [${first}, statements("0002", ["ALTER TABLE note RENAME COLUMN text TO words"])]`,
          "words",
        ),
        id: "back",
        package: "@longbox-test/back",
      });
      await using host = await bench.host();
      const viewer = host.as("viewer");
      await install(host, "@longbox-test/back", "1.0.0");
      await viewer.post("/api/counter/1");
      await install(host, "@longbox-test/back", "2.0.0");
      await viewer.post("/api/counter/2");
      expect((await viewer.get("/api/counter")).body).toEqual({ version: "2.0.0", notes: ["1", "2"] });
      const { body: before } = await host.as("admin").get("/api/plugins/back");
      expect(before).toMatchObject({
        previousVersion: "1.0.0",
        rollbackRestoresDataOf: expect.stringMatching(/^\d{4}-.*Z$/),
      });
      expect(before.setAside).toBeUndefined();
      const answer = await host.as("admin").post("/api/plugins/back/rollback");
      expect(answer).toMatchObject({
        status: 200,
        body: {
          version: "1.0.0",
          state: "active",
          previousVersion: "2.0.0",
          setAside: { folder: expect.stringContaining("plugins/data/back/") },
        },
      });
      expect(answer.body.rollbackRestoresDataOf).toBeUndefined();
      expect((await viewer.get("/api/counter")).body).toEqual({ version: "1.0.0", notes: ["1"] });
      const [{ reason }] = (await host.as("admin").get("/api/plugins/audit")).body;
      expect(reason).toBe(
        `The data of ${before.rollbackRestoresDataOf} came back; what was written since is kept in ${answer.body.setAside.folder}.`,
      );
      await host.restart();
      expect((await viewer.get("/api/counter")).body).toEqual({ version: "1.0.0", notes: ["1"] });
      // Whatever comes later, what was written by the newer version is there.
      await viewer.post("/api/counter/3");
      await install(host, "@longbox-test/back", "2.0.0");
      await host.restart();
      expect((await viewer.get("/api/counter")).body).toEqual({ version: "2.0.0", notes: ["1", "3"] });
      expect((await host.as("admin").get("/api/plugins/back")).body.setAside).toEqual(answer.body.setAside);
      const kept = new DatabaseSync(path.join(host.dataFolder, answer.body.setAside.folder, "database.sqlite"), {
        readOnly: true,
      });
      expect(
        kept
          .prepare("SELECT words FROM note ORDER BY words")
          .all()
          .map((row) => row["words"]),
      ).toEqual(["1", "2"]);
      kept.close();
      await host.as("admin").post("/api/plugins/uninstall", { name: "back", purge: true });
      expect(existsSync(path.join(host.dataFolder, answer.body.setAside.folder))).toBe(false);
    },
  );

  it("says of a rollback that it keeps the data where the old code can read it, and refuses one for which there is no data", async () => {
    await bench.publish({
      ...counter("1.0.0", `migrations: [${first}]`, "text"),
      id: "same",
      package: "@longbox-test/same",
    });
    await bench.publish({
      ...counter("1.1.0", `migrations: [${first}]`, "text"),
      id: "same",
      package: "@longbox-test/same",
    });
    await bench.publish({
      ...counter("2.0.0", `migrations: [${first}, ${second}]`, "words"),
      id: "same",
      package: "@longbox-test/same",
    });
    await using host = await bench.host();
    const viewer = host.as("viewer");
    const rollback = () => host.as("admin").post("/api/plugins/same/rollback");
    await install(host, "@longbox-test/same", "1.0.0");
    expect((await install(host, "@longbox-test/same", "1.1.0"))["rollbackRestoresDataOf"]).toBeUndefined();
    await viewer.post("/api/counter/1");
    expect((await rollback()).body.setAside).toBeUndefined();
    expect((await viewer.get("/api/counter")).body).toEqual({ version: "1.0.0", notes: ["1"] });
    // Also when the new version was installed while the plugin was off.
    await host.disable("same");
    await install(host, "@longbox-test/same", "2.0.0");
    await host.enable("same");
    expect((await host.as("admin").get("/api/plugins/same")).body).toMatchObject({
      state: "active",
      rollbackRestoresDataOf: expect.any(String),
    });
    const data = path.join(host.dataFolder, "plugins", "data", "same");
    const { previous } = JSON.parse(await readFile(path.join(data, "current.json"), "utf8"));
    await rm(path.join(data, previous), { recursive: true });
    expect(await rollback()).toMatchObject({ status: 409, body: { error: expect.stringContaining("newer version") } });
    expect((await viewer.get("/api/counter")).body).toEqual({ version: "2.0.0", notes: ["1"] });
  });

  it("goes back by itself when the new version does not stay up", async () => {
    await bench.publish({ id: "shaky", version: "1.0.0", activate: answering("/api/shaky", "old") });
    await bench.publish({
      id: "shaky",
      version: "2.0.0",
      activate: `const shaking = context.topic("shaking"); shaking.subscribe(() => { throw new Error("shaken"); });
        let asked = 0; setInterval(() => { if (asked > 0) { asked -= 1; for (let n = 0; n < 12; n++) shaking.publish(1); } }, 1);
        context.routes([defineRoute({ method: "GET", path: "/api/shaky", summary: "shakes", handle: () => { asked += 1; return "new"; } })]);`,
    });
    await using host = await bench.host({ kernel: { plugins: { faultLimit: { count: 3, withinMs: 60_000 } } } });
    await install(host, "@longbox-test/shaky", "1.0.0");
    await install(host, "@longbox-test/shaky", "2.0.0");
    const viewer = host.as("viewer");
    // Faults come faster than the host can act on them; none of them counts against the old version.
    for (let i = 0; i < 3; i += 1) await viewer.get("/api/shaky");
    await until(async () => (await viewer.get("/api/shaky")).body === "old");
    await host.kernel.host.quiet();
    expect(await viewer.get("/api/shaky")).toMatchObject({ status: 200, body: "old" });
    const trail = (await host.as("admin").get("/api/plugins/audit")).body;
    expect(trail[0]).toMatchObject({
      action: "rollback",
      plugin: "shaky",
      username: "system",
      reason: expect.stringContaining("did not stay up"),
    });
  });

  it("runs, reports and serves one and the same version, also when only a file deep inside has changed", async () => {
    const nested = (version: string, word: string): TinyPlugin => ({
      id: "nested",
      version,
      head: `import { word } from "./lib/middle.js";`,
      activate: `context.routes([defineRoute({ method: "GET", path: "/api/nested", summary: "w", handle: () => ({ word, version: context.plugin.version }) })]);`,
      manifest: { client: { js: "client/nested.js" } },
      files: {
        "lib/middle.js": `export { word } from "./deep/leaf.js";`,
        "lib/deep/leaf.js": `export const word = "${word}";`,
        "client/nested.js": `import "./part.js";`,
        "client/part.js": `export const word = "${word}";`,
      },
    });
    await using host = await bench.host();
    const viewer = host.as("viewer");
    const urls = new Set<string>();
    for (const [version, word] of [
      ["1.0.0", "one"],
      ["1.0.1", "two"],
      ["1.0.2", "three"],
    ] as const) {
      await bench.publish(nested(version, word));
      await install(host, "@longbox-test/nested", version);
      expect((await viewer.get("/api/nested")).body).toEqual({ word, version });
      expect((await host.as("admin").get("/api/plugins/nested")).body.version).toBe(version);
      const [part] = (await viewer.get("/api/plugins/client")).body;
      expect(part.version).toBe(version);
      expect((await viewer.get(part.js.replace("nested.js", "part.js"))).body).toContain(word);
      urls.add(part.js);
    }
    expect(urls.size).toBe(3);
  });

  it("moves those who use a contract or an extension point over without a failed call, a lost subscription or a thing listed twice", async () => {
    const bell = (version: string): TinyPlugin => ({
      id: "bell",
      version,
      manifest: { provides: { bell: "1.0.0" }, contributes: { sounds: "^1.0.0" } },
      activate: `const listeners = new Set(); const release = context.contribute(extensionPoint("sounds", "1.0.0"), { name: "${version}", async play() { return "${version}"; } });
        context.provide(contract("bell", "1.0.0"), { async ring() { await new Promise((resolve) => setTimeout(resolve, 20)); for (const listener of listeners) listener("${version}"); return "${version}"; },
          onRing(listener) { listeners.add(listener); return { release() { listeners.delete(listener); } }; } });`,
    });
    const house: TinyPlugin = {
      id: "house",
      manifest: { requires: { bell: "^1.0.0" }, opens: { sounds: "1.0.0" } },
      fields: `requires: { bell: contract("bell", "1.0.0") }`,
      activate: `const sounds = context.open(extensionPoint("sounds", "1.0.0")); const heard = []; context.own(capabilities.bell.onRing((version) => { heard.push(version); }));
        context.routes([defineRoute({ method: "GET", path: "/api/house/ring", summary: "rings", handle: () => capabilities.bell.ring() }),
          defineRoute({ method: "GET", path: "/api/house", summary: "tells", handle: async () => ({ heard: [...new Set(heard)], sounds: await Promise.all(sounds.all().map((sound) => sound.play())) }) })]);`,
    };
    await bench.publish(bell("1.0.0"));
    await bench.publish(bell("1.1.0"));
    await bench.publish(house);
    await using host = await bench.host();
    await install(host, "@longbox-test/bell", "1.0.0");
    await install(host, "@longbox-test/house");
    const viewer = host.as("viewer");
    let going = true;
    const answers: Array<{ status: number; body: unknown }> = [];
    const ringing = Promise.all(
      Array.from({ length: 5 }, async () => {
        while (going) answers.push(await viewer.get("/api/house/ring"));
      }),
    );
    await until(() => answers.length > 5);
    await install(host, "@longbox-test/bell", "1.1.0");
    const { length } = answers;
    await until(() => answers.length > length + 10);
    going = false;
    await ringing;
    expect(answers.filter((answer) => answer.status !== 200)).toEqual([]);
    expect(answers.at(-1)!.body).toBe("1.1.0");
    expect((await viewer.get("/api/house")).body).toEqual({ heard: ["1.0.0", "1.1.0"], sounds: ["1.1.0"] });
    expect(host.kernel.host.row("house").state).toBe("active");
  });

  it("is refused when those who use it could not go on with the new version", async () => {
    const provider = (version: string, provides: string): TinyPlugin => ({
      id: "base",
      version,
      manifest: { provides: { base: provides } },
      activate: `context.provide(contract("base", "${provides}"), {});`,
    });
    await bench.publish(provider("1.0.0", "1.0.0"));
    await bench.publish(provider("2.0.0", "2.0.0"));
    await bench.publish({
      id: "tenant",
      manifest: { requires: { base: "^1.0.0" } },
      fields: `requires: { base: contract("base", "1.0.0") }`,
    });
    await using host = await bench.host();
    await install(host, "@longbox-test/base", "1.0.0");
    await install(host, "@longbox-test/tenant");
    expect(await host.as("admin").post("/api/plugins/install", { name: "base", version: "2.0.0" })).toMatchObject({
      status: 409,
      body: { code: "kernel/breaks-others", details: { needs: "tenant" } },
    });
    expect(host.kernel.host.rows().map((row) => [row.name, row.version, row.state])).toEqual([
      ["base", "1.0.0", "active"],
      ["tenant", "1.0.0", "active"],
    ]);
  });

  describe("of an extension point", () => {
    /** Opens a point in the version of the plugin; `0.0.0` stands for a version that does not open it. */
    const stage = (version: string, opens = version): TinyPlugin => ({
      id: "stage",
      version,
      manifest: { opens: opens === "0.0.0" ? {} : { acts: opens } },
      activate: `const acts = ${opens === "0.0.0" ? "undefined" : `context.open(extensionPoint("acts", "${opens}"))`};
        context.routes([defineRoute({ method: "GET", path: "/api/stage", summary: "plays", handle: async () => ({ version: "${version}", acts: await Promise.all((acts?.all() ?? []).map((act) => act.play())) }) })]);`,
    });
    const act = (version: string, range: string): TinyPlugin => ({
      id: "act",
      version,
      manifest: { contributes: { acts: range } },
      activate: `for (const name of ["first", "second"]) context.contribute(extensionPoint("acts", "${version}"), { async play() { return name + " ${version}"; } });`,
    });
    const [one, two] = [
      ["first 1.0.0", "second 1.0.0"],
      ["first 2.0.0", "second 2.0.0"],
    ];
    beforeAll(async () => {
      await bench.publish(stage("1.0.0"));
      await bench.publish(stage("2.0.0"));
      await bench.publish(stage("3.0.0", "0.0.0"));
      await bench.publish(act("1.0.0", "^1.0.0"));
      await bench.publish(act("2.0.0", "^2.0.0"));
    });
    const shown = async (host: KernelTestHost) => (await host.as("viewer").get("/api/stage")).body;
    const faults = (host: KernelTestHost) => host.kernel.host.row("act").faults;
    const unfitIn = ({ warnings }: Record<string, any>) =>
      warnings.filter(({ code }: any) => code === "contribution-unfit").map(({ message }: any) => message);
    const unfit = (wanted: string, opened: string) =>
      `"act" adds to "acts" ${wanted}, and "stage" opens ${opened}: what it adds is left out until the versions fit.`;

    it.each([
      ["in the server's process", []],
      ["isolated", ["stage", "act"]],
    ])("hands over only what is made for its version, whichever plugin is upgraded first: %s", async (_, isolated) => {
      await using host = await bench.host({ isolated });
      await install(host, "@longbox-test/stage", "1.0.0");
      expect(unfitIn(await install(host, "@longbox-test/act", "2.0.0"))).toEqual([unfit("^2.0.0", "1.0.0")]);
      expect(await shown(host)).toEqual({ version: "1.0.0", acts: [] });
      await until(() => faults(host) === 1);
      const { lines } = await host.use(KernelLogs).list({ level: "error", category: "act" });
      expect(lines.map(({ fields }) => fields["message"])).toEqual([unfit("^2.0.0", "1.0.0")]);
      // The contributor waits for the owner.
      await install(host, "@longbox-test/stage", "2.0.0");
      expect(await shown(host)).toEqual({ version: "2.0.0", acts: two });
      // And the owner for the contributor.
      await host.as("admin").post("/api/plugins/uninstall", { name: "act", purge: true });
      await install(host, "@longbox-test/act", "1.0.0");
      expect(await shown(host)).toEqual({ version: "2.0.0", acts: [] });
      expect(unfitIn(await install(host, "@longbox-test/act", "2.0.0"))).toEqual([]);
      expect(await shown(host)).toEqual({ version: "2.0.0", acts: two });
    });

    it.each(["2.0.0", "3.0.0"])("is refused while what others add would be left out: %s", async (version) => {
      await using host = await bench.host();
      await install(host, "@longbox-test/act", "1.0.0");
      await install(host, "@longbox-test/stage", "1.0.0");
      const upgrade = () => host.as("admin").post("/api/plugins/install", { name: "stage", version });
      const opens = version === "2.0.0" ? "opens 2.0.0" : "does not open it any more";
      expect(await upgrade()).toMatchObject({
        status: 409,
        body: {
          code: "kernel/breaks-others",
          error: `"act" adds to "acts" ^1.0.0; version ${version} of "stage" ${opens}.`,
          details: { needs: "act", point: "acts", range: "^1.0.0" },
        },
      });
      expect(await shown(host)).toEqual({ version: "1.0.0", acts: one });
      await host.disable("act");
      expect((await upgrade()).status).toBe(200);
      await host.enable("act");
      expect(await shown(host)).toEqual({ version, acts: [] });
      expect(faults(host)).toBe(version === "2.0.0" ? 1 : 0);
    });
  });
});
