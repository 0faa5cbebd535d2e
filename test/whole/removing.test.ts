import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestHost } from "@longbox/sdk/testing";
import { writeLibrary } from "@longbox/test/fixtures";
import { expect, it } from "vitest";

/** Every file below a folder, with its time and a digest of its bytes. */
async function contentOf(root: string): Promise<Record<string, string>> {
  const content: Record<string, string> = {};
  for (const name of (await readdir(root, { recursive: true })).sort()) {
    const path = join(root, name);
    const { mtimeMs } = await stat(path);
    const isFile = (await stat(path)).isFile();
    content[name] = isFile
      ? `${mtimeMs} ${createHash("sha256")
          .update(await readFile(path))
          .digest("hex")}`
      : "folder";
  }
  return content;
}

it("leaves every file of the library as it is when collection and files are removed with all their data", async () => {
  const root = await mkdtemp(join(tmpdir(), "longbox-removing-"));
  try {
    await writeLibrary(root, [
      { title: "Moth Patrol", year: 2019, issues: ["1", "2"], pages: 3 },
      { title: "Lantern Row", year: 1987, issues: ["1"], pages: 3 },
    ]);
    const before = await contentOf(root);
    expect(Object.values(before).filter((what) => what !== "folder").length).toBeGreaterThanOrEqual(3);
    await using host = await startTestHost({ plugins: ["operations", "collection", "files", "comics"] });
    const admin = host.as("admin");
    await admin.post("/api/libraries", { name: "Comics", type: "comic", rootFolder: root });
    await expect
      .poll(async () => (await admin.get("/api/collection")).body.map(({ owned }: { owned: number }) => owned).sort(), {
        timeout: 30_000,
      })
      .toEqual([1, 2]);
    for (const name of ["comics", "files", "collection"])
      expect(await admin.post("/api/plugins/uninstall", { name, purge: true })).toMatchObject({ status: 200 });
    expect((await admin.get("/api/collection")).status).toBe(404);
    expect(await contentOf(root)).toEqual(before);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
