import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeComic } from "@longbox/test/fixtures";
import { describe, expect, it } from "vitest";
import { startLibrary, type TestLibrary } from "./support/library.js";

const untagged = async (root: string, folder: string, names: readonly string[]) => {
  for (const name of names)
    await writeComic(join(root, folder, `${name}.cbz`), { series: name, number: "1", pages: 1 });
};

async function doubtful(library: TestLibrary) {
  const { status, body } = await library.host.as("trusted").get("/api/scan-folder/review");
  expect(status).toBe(200);
  return body.files as Array<{ path: string; readAs: string; seriesId: number; reasons: string[] }>;
}

describe("the review of scans", () => {
  it("lists names that can be read in another way with the reasons, until a person says that they are right", async () => {
    const folder = "Moth Patrol (2019)";
    const names = ["Moth Patrol 001", "Moth Patrol 002", "Moth Patrol 003", "Moth Patorl 004"];
    await using library = await startLibrary({ fill: (root) => untagged(root, folder, names) });
    const [only, ...others] = await doubtful(library);
    expect(others).toEqual([]);
    expect(only).toMatchObject({
      path: join(library.root, folder, "Moth Patorl 004.cbz"),
      readAs: expect.stringContaining("Moth Patrol #4"),
      reasons: expect.arrayContaining([
        "`Moth Patorl` is nearly Moth Patrol, as the other names of the folder have it",
      ]),
    });
    const trusted = library.host.as("trusted");
    expect((await trusted.post("/api/scan-folder/review", { paths: [only!.path] })).body).toEqual({ settled: 1 });
    expect(await doubtful(library)).toEqual([]);
    await library.scan({ everything: true });
    expect(await doubtful(library)).toEqual([]);
    await trusted.post(`/api/collection/${only!.seriesId}/restricted`, { restricted: true });
    expect((await library.host.as("viewer").get("/api/scan-folder/review")).status).toBe(403);
  });

  it("shows nothing of hidden series, and nothing that tags leave no doubt of", async () => {
    const names = ["Moth Patrol 001", "Moth Patrol 002", "Moth Patrol 003", "Moth Patorl 004"];
    await using library = await startLibrary({ fill: (root) => untagged(root, "Moth Patrol (2019)", names) });
    const admin = library.host.as("admin");
    await admin.post("/api/roles", { name: "keeper", permissions: ["library.view", "library.manage"] });
    const [only] = await doubtful(library);
    await admin.post(`/api/collection/${only!.seriesId}/restricted`, { restricted: true });
    expect((await library.host.as("keeper").get("/api/scan-folder/review")).body).toEqual({ files: [] });
    await writeComic(only!.path, {
      series: "Moth Patrol",
      number: "4",
      pages: 1,
      tags: { Series: "Moth Patrol", Number: "4", Volume: 2019 },
    });
    await library.scan();
    expect((await admin.get("/api/scan-folder/review")).body).toEqual({ files: [] });
  });

  it("lists what was left aside and why, and forgets what is gone or read by now", async () => {
    await using library = await startLibrary({
      async fill(root) {
        await untagged(root, "Moth Patrol (2019)", ["Moth Patrol 001"]);
        await writeFile(join(root, "Moth Patrol (2019)", "series.json"), "{}");
        await writeFile(join(root, "Moth Patrol (2019)", ".hidden"), "");
        await writeFile(join(root, "Moth Patrol (2019)", "notes.txt"), "not a comic");
        await writeFile(join(root, "README"), "not a comic");
        await symlink("/nowhere/at/all.cbz", join(root, "lost.cbz"));
        await mkdir(join(root, "empty"));
      },
    });
    const ignored = async (query = "") => {
      const { body } = await library.host.as("trusted").get(`/api/scan-folder/ignored${query}`);
      return body.files.map(({ path, reason }: { path: string; reason: string }) => [
        path.slice(library.root.length + 1),
        reason,
      ]);
    };
    expect(await ignored()).toEqual([
      ["Moth Patrol (2019)/notes.txt", "no installed plugin reads txt files here"],
      ["README", "its name has no extension"],
      ["lost.cbz", "it is a link that leads nowhere, or out of the library"],
    ]);
    expect(await ignored("?limit=1")).toHaveLength(1);
    const unknown = await library.host.as("trusted").get("/api/scan-folder/ignored?libraryId=99");
    expect(unknown.body.code).toBe("files/library-not-found");
    await writeFile(join(library.root, "README.txt"), "");
    await library.scan();
    expect((await ignored()).map(([path]: string[]) => path)).toContain("README.txt");
  });
});
