// An installation is moved from SQLite to PostgreSQL by the command.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { needsSqliteFiles } from "@longbox/test/needs";
import { needsPostgres, startPostgres } from "@longbox/test/postgres";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { moveInstallation } from "../../dist/backup/index.js";
import { SqliteStoring, type Storing } from "../../dist/storage/index.js";
import { migration } from "@longbox/sdk";
import { command, post, startServer } from "./program.js";
import { keepingLog, temporaryFolder } from "../storage/storage-folder.js";

const account = { username: "ada", password: "correct horse battery" };

const odd = migration("0001-odd", async ({ schema, types }) => {
  await schema
    .createTable("odd")
    .addColumn("id", types.id, types.numbered)
    .addColumn("said", types.text)
    .addColumn("share", types.real)
    .addColumn("bytes", types.bytes)
    .addColumn("json", types.json)
    .execute();
});

/** Rows with what engines keep in different ways. */
async function putOddRows(storing: Storing): Promise<void> {
  const kernel = await storing.open("kernel");
  await kernel.migrate([]);
  const storage = await storing.open("shelves");
  await storage.migrate([odd]);
  const rows = Array.from({ length: 1_200 }, (_, index) => ({
    said: index % 3 === 0 ? null : `進撃 \\ "${index}"`,
    share: index / 7,
    bytes: Uint8Array.from([0, index % 256, 92]),
    json: JSON.stringify({ b: index, a: [null, "\0"] }),
  }));
  await storage.database<any>().insertInto("odd").values(rows).execute();
  // As a server of an earlier version kept it.
  await sql`update odd set said = 'a' || char(0) || 'b' where id = 2`.execute(storage.database());
}

describe("longbox move", needsPostgres, () => {
  it("copies a server that runs, which stays as it is, and the copy knows its accounts", needsSqliteFiles, async () => {
    await using server = await startPostgres();
    await using folder = await temporaryFolder();
    const [data, moved] = [join(folder.path, "data"), join(folder.path, "moved")];
    {
      await using source = await startServer(data);
      expect((await post(`${source.url}/api/auth/register`, account)).ok).toBe(true);
      expect(await command(data, "move", "--to", server.url, moved)).toMatchObject({
        code: 0,
        said: expect.stringMatching(/ rows in \d+ tables of \d+ owners are the same in PostgreSQL/),
      });
      expect(await command(data, "move", "--to", server.url, moved)).toMatchObject({
        code: 1,
        said: expect.stringContaining("is not empty"),
      });
      expect((await post(`${source.url}/api/auth/login`, account)).status).toBe(200);
    }
    await using target = await startServer(moved, { LONGBOX_DATABASE: server.url });
    expect((await post(`${target.url}/api/auth/login`, account)).status).toBe(200);
    expect(await command(data, "move", folder.path)).toMatchObject({ code: 1, said: expect.stringContaining("--to") });
  });

  it("compares every row, and leaves nothing where no database answers", async () => {
    await using server = await startPostgres();
    await using folder = await temporaryFolder();
    await using data = await temporaryFolder();
    const storing = new SqliteStoring({ folder: data.path, log: keepingLog() });
    await putOddRows(storing);
    const log = keepingLog();
    const moving = { from: data.path, log, version: "1.0.0", database: { postgres: server.url } };
    const moved = await moveInstallation({ ...moving, folder: join(folder.path, "moved") });
    expect(moved.rows).toBeGreaterThan(1_200);
    expect(log.lines).toContainEqual({
      level: "info",
      message: "The tables of an owner were copied, and are the same.",
      fields: { owner: "shelves", tables: expect.any(Number) },
    });
    await server.stop();
    await expect(moveInstallation({ ...moving, folder: join(folder.path, "other") })).rejects.toMatchObject({
      code: "kernel/database-away",
    });
    expect(await readdir(folder.path)).toEqual(["moved"]);
    await storing.release();
  });
});
