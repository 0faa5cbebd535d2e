import { join } from "node:path";
import { startKernelTestHost } from "@longbox/kernel/testing";
import { expect, it } from "vitest";
import { restoreBackup } from "../../dist/backup/index.js";
import { Bench, install, temporaryFolder, type TinyPlugin } from "../plugins/support.js";

/** Counts how often it was asked to, in its own database; the second version knows colours too. */
const counter = (version: string, migrations: string): TinyPlugin => ({
  id: "counter",
  version,
  fields: `migrations: [${migrations}]`,
  activate: `const database = context.storage.database();
    const count = async () => ({ version: "${version}", count: (await database.selectFrom("tick").selectAll().execute()).length });
    context.routes([
      defineRoute({ method: "POST", path: "/api/counter", access: "viewer", summary: "counts", handle: async () => { await database.insertInto("tick").values({ at: "now" }).execute(); return count(); } }),
      defineRoute({ method: "GET", path: "/api/counter", summary: "tells", handle: count })]);`,
});
const first = `statements("0001", ["create table tick (at text)"])`;
const second = `statements("0002", ["alter table tick add column colour text"])`;

it(
  "brings installed and upgraded plugins back with their data, though the registry is away",
  { timeout: 240_000 },
  async () => {
    await using folder = await temporaryFolder();
    const restored = join(folder.path, "restored");
    {
      await using bench = await Bench.open();
      await bench.publish(counter("1.0.0", first));
      await bench.publish(counter("1.1.0", `${first}, ${second}`));
      await using host = await bench.host();
      await install(host, "@longbox-test/counter", "1.0.0");
      await host.as("viewer").post("/api/counter");
      await install(host, "@longbox-test/counter", "1.1.0");
      expect((await host.as("viewer").post("/api/counter")).body).toEqual({ version: "1.1.0", count: 2 });
      const { body } = await host.as("admin").post("/api/backup");
      await restoreBackup(join(host.dataFolder, "backups", body.name), restored);
    }
    await using host = await startKernelTestHost({ storage: "sqlite", dataFolder: restored });
    expect((await host.as("admin").get("/api/plugins/counter")).body).toMatchObject({
      version: "1.1.0",
      state: "active",
      enabled: true,
    });
    expect((await host.as("viewer").post("/api/counter")).body).toEqual({ version: "1.1.0", count: 3 });
  },
);
