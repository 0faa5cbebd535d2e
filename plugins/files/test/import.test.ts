import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { writeComic, writeLibrary } from "@longbox/test/fixtures";
import { describe, expect, it } from "vitest";
import { startLibrary, untilSettled } from "./support/library.js";

describe("importing", () => {
  it("tells no match with a series that is hidden from the viewer", async () => {
    const inbox = await mkdtemp(join(tmpdir(), "longbox-files-inbox-"));
    try {
      await using library = await startLibrary({
        fill: (root) => writeLibrary(root, [{ title: "Moth Patrol", year: 2019, issues: ["1"], pages: 1 }]),
      });
      const admin = library.host.as("admin");
      const permissions = ["library.view", "library.manage"];
      await admin.post("/api/roles", { name: "keeper", permissions });
      const [{ id: hidden }] = (await admin.get("/api/collection")).body;
      await admin.post(`/api/collection/${hidden}/restricted`, { restricted: true });
      await writeComic(join(inbox, "moth patrol 002 (2019).cbz"), { series: "Moth Patrol", number: "2", pages: 1 });
      await admin.post("/api/settings", { files: { importFolder: inbox } });
      expect((await admin.post("/api/import/scan", {})).body.candidates).toMatchObject([
        { status: "ready", match: { seriesId: hidden } },
      ]);
      const keeper = library.host.as("keeper");
      for (const answer of [
        (await keeper.get("/api/import")).body,
        (await keeper.post("/api/import/scan", {})).body.candidates,
      ]) {
        expect(answer).toMatchObject([{ status: "review", confidence: "none" }]);
        expect(answer[0]).not.toHaveProperty("match");
      }
      expect((await keeper.post("/api/import/run", {})).body).toEqual({ imported: 0, failed: [] });
      expect(await readdir(inbox)).toEqual(["moth patrol 002 (2019).cbz"]);
    } finally {
      await rm(inbox, { recursive: true, force: true });
    }
  });

  it("takes what is certain for ready, lets a person decide the rest, and moves files to their names", async () => {
    const inbox = await mkdtemp(join(tmpdir(), "longbox-files-inbox-"));
    try {
      await using library = await startLibrary({
        fill: (root) => writeLibrary(root, [{ title: "Moth Patrol", year: 2019, issues: ["1"], pages: 1 }]),
      });
      await writeComic(join(inbox, "new", "moth patrol 002 (2019) (Digital).cbz"), {
        series: "Moth Patrol",
        number: "2",
        pages: 1,
        tags: { Series: "Moth Patrol", Number: "2", Volume: 2019 },
      });
      await writeComic(join(inbox, "strange", "Gravel Saints 004.cbz"), {
        series: "Gravel Saints",
        number: "4",
        pages: 1,
      });
      await writeComic(join(inbox, "unwanted", "Sister Static 001.cbz"), {
        series: "Sister Static",
        number: "1",
        pages: 1,
      });
      const admin = library.host.as("admin");
      expect((await admin.post("/api/import/scan", {})).body).toMatchObject({
        code: "files/no-import-folder",
        details: { importFolder: expect.any(String) },
      });
      expect((await admin.post("/api/settings", { files: { importFolder: inbox } })).status).toBe(200);
      expect((await admin.post("/api/import/scan", { path: tmpdir() })).status).toBe(400);
      const { candidates } = (await admin.post("/api/import/scan", {})).body;
      expect(
        candidates.map((one: { name: string; confidence: string; status: string }) => [
          one.name,
          one.confidence,
          one.status,
        ]),
      ).toEqual([
        ["Gravel Saints", "none", "review"],
        ["Moth Patrol", "high", "ready"],
        ["Sister Static", "none", "review"],
      ]);
      const [gravel, , sister] = candidates;
      const preview = `/api/scan-folder?path=${encodeURIComponent(join(inbox, "strange"))}`;
      expect((await admin.get(preview)).body.files).toMatchObject([
        { name: "Gravel Saints 004.cbz", series: "Gravel Saints", number: "4" },
      ]);
      expect((await library.host.as("viewer").get(preview)).status).toBe(400);
      expect((await admin.post(`/api/import/candidate/${gravel.id}/confirm`)).body.status).toBe("ready");
      expect((await admin.post(`/api/import/candidate/${sister.id}/skip`)).body.status).toBe("skipped");
      expect((await admin.post("/api/import/candidate/4711/skip")).status).toBe(404);
      const planOf = async ({ id }: { id: number }) => (await admin.get(`/api/import/candidate/${id}/plan`)).body;
      expect(await planOf(candidates[1])).toEqual({
        library: "Comics",
        isKnown: true,
        count: 1,
        moves: [
          {
            from: join(inbox, "new", "moth patrol 002 (2019) (Digital).cbz"),
            to: join(library.root, "Moth Patrol (2019)", "Moth Patrol 002 (2019).cbz"),
            isTaken: false,
          },
        ],
      });
      const goal = join(library.root, "Moth Patrol (2019)", "Moth Patrol 002 (2019).cbz");
      await mkdir(dirname(goal), { recursive: true });
      await symlink("nowhere", goal);
      expect(await planOf(candidates[1])).toMatchObject({ count: 0, moves: [{ to: goal, isTaken: true }] });
      await rm(goal);
      expect(await planOf(gravel)).toMatchObject({ isKnown: false, count: 1 });
      expect(await readdir(inbox)).toEqual(["new", "strange", "unwanted"]);
      expect((await admin.get("/api/import/candidate/4711/plan")).status).toBe(404);
      const before = (await admin.get("/api/scan-folder")).body.startedAt;
      expect((await admin.post("/api/import/run", {})).body).toEqual({ imported: 2, failed: [] });
      await untilSettled(library.host, before);
      await untilSettled(library.host);
      expect((await library.files()).map((file) => file.path)).toEqual([
        "Gravel Saints/Gravel Saints 004.cbz",
        "Moth Patrol (2019)/Moth Patrol 001 (2019).cbz",
        "Moth Patrol (2019)/Moth Patrol 002 (2019).cbz",
      ]);
      expect(new Set((await library.files()).map((file) => file.series))).toEqual(
        new Set(["Gravel Saints", "Moth Patrol"]),
      );
      expect(await readdir(inbox)).toEqual(["unwanted"]);
      expect((await admin.get("/api/import")).body.map((one: { status: string }) => one.status)).toEqual([
        "imported",
        "imported",
        "skipped",
      ]);
      expect((await library.host.as("viewer").get("/api/import")).status).toBe(403);
    } finally {
      await rm(inbox, { recursive: true, force: true });
    }
  });

  it("looks into one folder without forgetting what waits in the others, and forgets what a new import folder does not hold", async () => {
    const inbox = await mkdtemp(join(tmpdir(), "longbox-files-inbox-"));
    try {
      await using library = await startLibrary();
      await writeComic(join(inbox, "Gravel Saints (2011)", "004.cbz"), {
        series: "Gravel Saints",
        number: "4",
        pages: 1,
      });
      await writeComic(join(inbox, "More of Gravel Saints", "Gravel Saints 005.cbz"), {
        series: "Gravel Saints",
        number: "5",
        pages: 1,
      });
      await writeComic(join(inbox, "Sister Static 001.cbz"), { series: "Sister Static", number: "1", pages: 1 });
      const admin = library.host.as("admin");
      const look = async (body: object) =>
        (await admin.post("/api/import/scan", body)).body.candidates.map(
          (one: { id: number; name: string; folder: string; status: string }) => [
            one.id,
            one.name,
            one.folder.slice(inbox.length + 1),
            one.status,
          ],
        );
      await admin.post("/api/settings", { files: { importFolder: inbox } });
      const all = await look({});
      expect(all.map(([, name, folder]: string[]) => [name, folder])).toEqual([
        ["Gravel Saints", "Gravel Saints (2011)"],
        ["Gravel Saints", "More of Gravel Saints"],
        ["Sister Static", ""],
      ]);
      expect(await look({ path: join(inbox, "Gravel Saints (2011)") })).toEqual(all);
      await rm(join(inbox, "Gravel Saints (2011)", "004.cbz"));
      expect(await look({ path: join(inbox, "Gravel Saints (2011)") })).toEqual(all.slice(1));
      await admin.post("/api/settings", { files: { importFolder: join(inbox, "More of Gravel Saints") } });
      expect(await look({})).toEqual([all[1]]);
    } finally {
      await rm(inbox, { recursive: true, force: true });
    }
  });

  it("lets a person say which series it is", async () => {
    const inbox = await mkdtemp(join(tmpdir(), "longbox-files-inbox-"));
    try {
      await using library = await startLibrary({
        fill: (root) => writeLibrary(root, [{ title: "Moth Patrol", year: 2019, issues: ["1"], pages: 1 }]),
      });
      await writeComic(join(inbox, "mp_7.cbz"), { series: "Moth Patrol", number: "7", pages: 1 });
      const admin = library.host.as("admin");
      await admin.post("/api/settings", { files: { importFolder: inbox } });
      const [candidate] = (await admin.post("/api/import/scan")).body.candidates;
      const seriesId = (await admin.get("/api/collection")).body[0].id;
      expect((await admin.post(`/api/import/candidate/${candidate.id}/match`, { seriesId })).body).toMatchObject({
        status: "ready",
        match: { name: "Moth Patrol", seriesId },
      });
      const before = (await admin.get("/api/scan-folder")).body.startedAt;
      await admin.post("/api/import/run", {});
      await untilSettled(library.host, before);
      expect((await library.files()).map(({ series, number, path }) => [series, number, path])).toContainEqual([
        "Moth Patrol",
        "7",
        "Moth Patrol (2019)/Moth Patrol 007 (2019).cbz",
      ]);
    } finally {
      await rm(inbox, { recursive: true, force: true });
    }
  });
});

describe("cleaning up", () => {
  it("moves only copies that hold the very same to the trash, which can be undone and emptied", async () => {
    const night = (root: string, name: string, seed = "1", deflate = false) =>
      writeComic(join(root, "Night Bell", name), { series: "Night Bell", number: seed, pages: 2, deflate });
    await using library = await startLibrary({
      async fill(root) {
        await night(root, "Night Bell 001.cbz");
        await night(root, "Night Bell 001 (copy).cbz");
        await night(root, "Night Bell 001 (packed).cbz", "1", true);
        await night(root, "Night Bell 001 (other scan).cbz", "other");
      },
    });
    const admin = library.host.as("admin");
    const seriesId = (await admin.get("/api/collection")).body[0].id;
    const planned = (await admin.post(`/api/collection/${seriesId}/cleanup`, { dryRun: true })).body.removed;
    expect(await library.files()).toHaveLength(4);
    const { removed, batchId } = (await admin.post(`/api/collection/${seriesId}/cleanup`, {})).body;
    expect(removed).toEqual(planned);
    expect(removed.map((one: { reason: string }) => one.reason).sort()).toEqual(["same-bytes", "same-pages"]);
    expect((await library.files()).some((file) => file.path.includes("other scan"))).toBe(true);
    expect(await library.files()).toHaveLength(2);
    expect((await admin.get("/api/library/trash")).body.files).toBe(2);
    const before = (await admin.get("/api/scan-folder")).body.startedAt;
    expect((await admin.post(`/api/library/moves/${batchId}/undo`)).body).toEqual({ moved: 2, failed: [] });
    await untilSettled(library.host, before);
    expect(await library.files()).toHaveLength(4);
    await admin.post(`/api/collection/${seriesId}/cleanup`, {});
    expect((await admin.post("/api/library/trash/empty")).body.files).toBe(2);
    expect(existsSync(join(library.root, ".longbox-trash"))).toBe(false);
    const journal = (await admin.get("/api/library/moves")).body;
    expect((await admin.post(`/api/collection/${seriesId}/cleanup`, {})).body).toEqual({ removed: [] });
    expect((await admin.get("/api/library/moves")).body).toEqual(journal);
  });
});

describe("pinning a folder", () => {
  it("means that whatever lies there is of the series", async () => {
    await using library = await startLibrary({
      async fill(root) {
        await writeLibrary(root, [{ title: "Moth Patrol", year: 2019, issues: ["1"], pages: 1 }]);
        await writeComic(join(root, "mp", "mp 002.cbz"), { series: "x", number: "2", pages: 1 });
        await mkdir(join(root, "empty"));
      },
    });
    const admin = library.host.as("admin");
    const series = (await admin.get("/api/collection?search=Moth")).body[0];
    for (const path of ["/etc", library.root, `${library.root}/../x`, `${library.root}/nowhere`])
      expect((await admin.post(`/api/collection/${series.id}/path`, { path })).status, path).toBe(400);
    const before = (await admin.get("/api/scan-folder")).body.startedAt;
    expect((await admin.post(`/api/collection/${series.id}/path`, { path: join(library.root, "mp") })).body).toEqual({
      path: join(library.root, "mp"),
    });
    await untilSettled(library.host, before);
    expect((await library.files()).map(({ path, series: title, number }) => [path, title, number])).toEqual([
      ["Moth Patrol (2019)/Moth Patrol 001 (2019).cbz", "Moth Patrol", "1"],
      ["mp/mp 002.cbz", "Moth Patrol", "2"],
    ]);
  });
});
