import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestHost } from "@longbox/sdk/testing";
import { expect, it } from "vitest";

const plugins = ["imaging", "operations", "collection", "files", "comics"];

it("draws comics that can be read as a library, and deletes exactly what it drew", async () => {
  const parent = await mkdtemp(join(tmpdir(), "longbox-samples-"));
  try {
    await using host = await startTestHost({ plugins, settings: { files: { watchFolders: false } } });
    const admin = host.as("admin");
    expect((await admin.get("/api/samples")).body).toEqual({ comics: 0 });
    const { body } = await admin.post("/api/samples", { folder: parent });
    expect(body).toEqual({ folder: join(parent, "Longbox sample comics"), comics: 8 });
    const library = { name: "Comics to try", type: "comic", rootFolder: body.folder };
    expect((await admin.post("/api/libraries", library)).status).toBe(200);
    const listed = async () =>
      (await admin.get("/api/collection?sort=title")).body.map((series: { title: string; owned: number }) => [
        series.title,
        series.owned,
      ]);
    await expect.poll(listed, { timeout: 30_000 }).toEqual([
      ["Moth and Moon", 3],
      ["Robot Garden", 3],
      ["Tin Whale", 2],
    ]);
    const [series] = (await admin.get("/api/collection?sort=title")).body;
    const { issues } = (await admin.get(`/api/collection/${series.id}`)).body;
    const { files } = (await admin.get(`/api/issue/${issues[0].cvIssueId}`)).body;
    expect(files).toMatchObject([{ valid: true, pages: 6 }]);

    await writeFile(join(body.folder, "Tin Whale", "mine.txt"), "kept");
    expect((await admin.delete("/api/samples")).body).toEqual({ comics: 0 });
    expect(await readdir(body.folder, { recursive: true })).toEqual(["Tin Whale", "Tin Whale/mine.txt"]);
    await expect.poll(listed, { timeout: 30_000 }).toEqual([]);
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
});

it("are only for those who manage libraries, and need the plugin that draws", async () => {
  await using host = await startTestHost({ plugins: plugins.filter((id) => id !== "imaging") });
  expect((await host.as("viewer").post("/api/samples")).status).toBe(403);
  expect(await host.as("admin").post("/api/samples")).toMatchObject({
    status: 409,
    body: { code: "comics/nothing-draws" },
  });
});
