// An isolated plugin is brought to other versions as others are: no request fails, and nothing that was acknowledged is
// lost.
import { execFileSync } from "node:child_process";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { KernelTestHost } from "@longbox/kernel/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Bench, install, packageOf, until, type TinyPlugin } from "../plugins/support.js";

const growing = (version: string): TinyPlugin => ({
  id: "growing",
  version,
  fields: `migrations: [{ name: "0001", up: ({ schema, types }) => schema.createTable("mark").addColumn("id", types.id, types.numbered).addColumn("version", types.text).execute() }${
    version === "3.0.0"
      ? `, { name: "0002", up: ({ schema, types }) => schema.alterTable("mark").addColumn("note", types.text).execute() }`
      : ""
  }]`,
  activate: `
    const database = context.storage.database();
    context.routes([
      defineRoute({ method: "GET", path: "/api/growing", summary: "look", handle: async () => ({ version: "${version}", pid: process.pid, marks: (await database.selectFrom("mark").selectAll().execute()).length }) }),
      defineRoute({ method: "POST", path: "/api/growing", access: "library.view", summary: "add", handle: async () => {
        await database.insertInto("mark").values({ version: "${version}" }).execute();
        return {};
      } }),
    ]);`,
});

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
  for (const version of ["1.0.0", "2.0.0", "3.0.0"]) await bench.publish(growing(version));
});
afterAll(() => bench[Symbol.asyncDispose]());

/** Reads and writes all the time while something is done. */
async function whileAsked(host: KernelTestHost, work: () => Promise<void>) {
  const client = host.as("viewer");
  const failed: unknown[] = [];
  const versions: string[] = [];
  let [goesOn, acknowledged] = [true, 0];
  const ask = async () => {
    while (goesOn) {
      const [read, written] = await Promise.all([client.get("/api/growing"), client.post("/api/growing")]);
      if (written.status === 200) acknowledged += 1;
      if (read.status === 200) versions.push(read.body.version);
      if (read.status !== 200 || written.status !== 200) failed.push(read.body, written.body);
    }
  };
  const asking = Promise.all([ask(), ask(), ask(), ask()]);
  try {
    await work();
    // Both versions are to be seen.
    const seen = versions.length;
    await until(() => versions.length > seen + 20);
  } finally {
    goesOn = false;
    await asking;
  }
  return { failed, acknowledged, versions };
}

/** The processes that run code of a plugin below this folder. */
function processesOf(folder: string): number {
  const all = execFileSync("ps", ["-eo", "comm,args"], { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 }).split("\n");
  return all.filter((line) => !line.startsWith("bwrap") && line.includes(`--allow-fs-read=${folder}`)).length;
}

describe("an isolated plugin", () => {
  it("is upgraded, also with a migration, and rolled back without a failed request", async () => {
    await using host = await bench.host({ isolated: ["growing"] });
    const name = packageOf(growing("1.0.0"));
    await install(host, name, "1.0.0");
    const store = path.join(host.dataFolder, "plugins", "store");
    const first = await whileAsked(host, async () => void (await install(host, name, "2.0.0")));
    expect(first.failed).toEqual([]);
    expect([first.versions.at(0), first.versions.at(-1)]).toEqual(["1.0.0", "2.0.0"]);

    const back = await whileAsked(host, async () => {
      const answer = await host.as("admin").post("/api/plugins/growing/rollback");
      expect(answer).toMatchObject({ status: 200, body: { version: "1.0.0", isolation: { mode: "process" } } });
    });
    expect(back.failed).toEqual([]);
    const written = first.acknowledged + back.acknowledged;
    expect((await host.as("viewer").get("/api/growing")).body).toMatchObject({ version: "1.0.0", marks: written });

    const third = await whileAsked(host, async () => void (await install(host, name, "3.0.0")));
    expect(third.failed).toEqual([]);
    const now = (await host.as("viewer").get("/api/growing")).body;
    expect(now).toMatchObject({ version: "3.0.0", marks: written + third.acknowledged });
    expect(now.pid).not.toBe(process.pid);
    // The processes of former versions end once what they were answering has ended.
    await until(() => processesOf(store) === 1);
    await host.stop();
    expect(processesOf(store)).toBe(0);
  });

  it("is asked once what it is: the next start believes what was written down, unless it is damaged", async () => {
    await using host = await bench.host({ isolated: ["growing"] });
    await install(host, packageOf(growing("1.0.0")), "1.0.0");
    const described = path.join(host.dataFolder, "plugins", "described");
    const [name] = await readdir(described);
    const file = path.join(described, name!);
    const first = await stat(file, { bigint: true });
    const answers = async () => expect((await host.as("viewer").get("/api/growing")).status).toBe(200);

    await host.stop();
    await host.restart();
    await answers();
    expect((await stat(file, { bigint: true })).mtimeNs).toBe(first.mtimeNs);

    await host.stop();
    await writeFile(file, "{");
    await host.restart();
    await answers();
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ description: { migrations: [{ name: "0001" }] } });

    expect((await host.as("admin").post("/api/plugins/uninstall", { name: "growing", purge: true })).status).toBe(200);
    expect(await readdir(described)).toEqual([]);
  });
});
