import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { Program } from "../plugins/program.js";
import { temporaryFolder } from "../plugins/support.js";

const databases = async (folder: string) =>
  (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".sqlite") && name !== "lock.sqlite");

it("keeps tables in memory while it runs, and writes them when it ends", { timeout: 120_000 }, async () => {
  await using folder = await temporaryFolder();
  const environment = { LONGBOX_DATA: folder.path, LONGBOX_REGISTRY: "http://127.0.0.1:9/" };
  const account = { username: "ada", password: "longbox123" };
  {
    await using ephemeral = await Program.start(environment, ["--ephemeral"]);
    expect((await ephemeral.admin.post("/api/auth/register", account)).status).toBe(200);
    expect(await databases(folder.path)).toEqual([]);
  }
  expect(await databases(folder.path)).not.toEqual([]);
  await using durable = await Program.start(environment);
  expect((await durable.admin.post("/api/auth/login", account)).status).toBe(200);
});

it("runs a built package in place, without a registry", { timeout: 240_000 }, async () => {
  await using folder = await temporaryFolder();
  const built = path.join(folder.path, "shelf");
  await mkdir(built);
  const longbox = { id: "shelf", title: "Shelf", description: "Answers", sdk: "^1.0.0" };
  await writeFile(
    path.join(built, "package.json"),
    JSON.stringify({
      name: "shelf",
      version: "1.0.0",
      type: "module",
      exports: "./index.js",
      keywords: ["longbox-plugin"],
      longbox,
    }),
  );
  await writeFile(
    path.join(built, "index.js"),
    `import { definePlugin, defineRoute } from "@longbox/sdk";
     export default definePlugin({ activate: (_, context) => context.routes([
       defineRoute({ method: "GET", path: "/api/shelf", summary: "Answers", handle: () => ({ at: import.meta.url }) })]) });`,
  );
  const environment = { LONGBOX_DATA: path.join(folder.path, "data"), LONGBOX_REGISTRY: "http://127.0.0.1:9/" };
  await using program = await Program.start(environment, ["--plugin", built]);
  const answer = await program.admin.get("/api/shelf");
  expect(answer).toMatchObject({ status: 200, body: { at: expect.stringContaining(`${built}/index.js`) } });
});
