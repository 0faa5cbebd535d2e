import path from "node:path";
import { expect, it } from "vitest";
import { Program } from "../plugins/program.js";
import { answering, temporaryFolder, writePlugin } from "../plugins/support.js";

it("a plugin that freezes Error is disabled as any other, and the server goes on", async () => {
  await using folder = await temporaryFolder();
  const plugin = path.join(folder.path, "frozen");
  await writePlugin(plugin, {
    id: "frozen",
    head: "Object.freeze(Error);",
    activate: `setInterval(() => undefined, 1_000); ${answering("/api/frozen", "cold")}`,
  });
  await using program = await Program.start({ LONGBOX_DATA: path.join(folder.path, "data") }, ["--plugin", plugin]);
  expect((await fetch(`${program.url}/healthz`)).status).toBe(200);
  const { status, body } = await program.admin.post("/api/plugins/frozen/enabled", { enabled: false });
  expect([status, body.state]).toEqual([200, "disabled"]);
  expect((await fetch(`${program.url}/healthz`)).status).toBe(200);
});
