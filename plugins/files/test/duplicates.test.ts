import { existsSync } from "node:fs";
import { join } from "node:path";
import { Catalog } from "@longbox/collection/contract";
import { systemViewer } from "@longbox/sdk";
import { writeComic } from "@longbox/test/fixtures";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { startLibrary, untilSettled, type TestLibrary } from "./support/library.js";

const folder = "Moth Patrol (2019)";
const names = ["Moth Patrol 001 (2019) (Kilo).cbz", "Moth Patrol 001 (2019) (Lima).cbz"] as const;

async function duplicated(): Promise<TestLibrary> {
  return startLibrary({
    async fill(root) {
      for (const [at, name] of [...names, "Moth Patrol 002 (2019).cbz"].entries())
        await writeComic(join(root, folder, name), { series: `Moth Patrol ${at}`, number: "1", pages: 2 + at });
    },
  });
}

interface Found {
  readonly issueId: number;
  readonly label: string;
  readonly seriesId: number;
  readonly files: ReadonlyArray<{ path: string; pages: number; cover: string }>;
}
const listed = async (library: TestLibrary, role = "trusted"): Promise<Found[]> =>
  (await library.host.as(role).get("/api/library/duplicates")).body.issues;

describe("issues with several files", () => {
  it("are listed with the cover of each file, and one is kept; the other can be put back", async () => {
    await using library = await duplicated();
    const trusted = library.host.as("trusted");
    const [found, ...others] = await listed(library);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ label: expect.stringContaining("Moth Patrol #1") });
    expect(new Set(found!.files.map(({ pages }) => pages))).toEqual(new Set([2, 3]));
    for (const { cover } of found!.files) {
      const { status, bytes } = await trusted.get(cover);
      expect([status, (await sharp(bytes).metadata()).format]).toEqual([200, "jpeg"]);
    }
    const [kept, gone] = names.map((name) => join(library.root, folder, name)) as [string, string];
    const elsewhere = await trusted.post(`/api/library/duplicates/${found!.issueId}/keep`, { path: "/etc/passwd" });
    expect([elsewhere.status, elsewhere.body.code]).toEqual([400, "files/no-copy"]);
    const { body } = await trusted.post(`/api/library/duplicates/${found!.issueId}/keep`, { path: kept });
    expect(body).toMatchObject({ moved: 1, batchId: expect.any(Number) });
    expect([existsSync(kept), existsSync(gone)]).toEqual([true, false]);
    await library.host.as("admin").post(`/api/library/moves/${body.batchId}/undo`);
    await untilSettled(library.host);
    expect(existsSync(gone)).toBe(true);
  });

  it("are no question any more once a person keeps all, and hidden ones never are for others", async () => {
    await using library = await duplicated();
    const admin = library.host.as("admin");
    await admin.post("/api/roles", { name: "keeper", permissions: ["library.view", "library.manage"] });
    const [found] = await listed(library);
    expect((await library.host.as("viewer").get("/api/library/duplicates")).status).toBe(403);
    await admin.post(`/api/collection/${found!.seriesId}/restricted`, { restricted: true });
    expect(await listed(library, "keeper")).toEqual([]);
    const keeper = library.host.as("keeper");
    expect((await keeper.get(found!.files[0]!.cover)).status).toBe(404);
    expect((await keeper.post(`/api/library/duplicates/${found!.issueId}/keep`, {})).status).toBe(404);
    expect((await admin.post(`/api/library/duplicates/${found!.issueId}/keep`, {})).body).toEqual({ moved: 0 });
    expect(await listed(library, "admin")).toEqual([]);
    const another = join(library.root, folder, "Moth Patrol 001 (2019) (Mike).cbz");
    await writeComic(another, { series: "Moth Patrol", number: "1", pages: 5 });
    await library.scan();
    expect((await listed(library, "admin")).map(({ files }) => files.length)).toEqual([3]);
  });

  it("are listed once two series turn out to be one volume", async () => {
    await using library = await startLibrary({
      async fill(root) {
        for (const [at, name] of ["Moth Patrol/Moth Patrol 001", "Moth-Patrol/Moth-Patrol 001"].entries())
          await writeComic(join(root, `${name}.cbz`), { series: name, number: "1", pages: 1 + at });
      },
    });
    expect(await listed(library)).toEqual([]);
    const admin = library.host.as("admin");
    const issues = [{ cvIssueId: 50011, number: "1" }];
    const volume = { cvId: 5001, title: "Moth Patrol", aliases: [], status: "ended" as const, issues };
    for (const { id } of (await admin.get("/api/collection")).body)
      await library.host.use(Catalog).matchSeries(id, volume, systemViewer);
    await expect.poll(async () => (await listed(library)).map(({ files }) => files.length)).toEqual([2]);
  });

  it("are listed as soon as a person assigns a file to an issue, and no longer once that is taken back", async () => {
    await using library = await startLibrary({
      async fill(root) {
        for (const number of ["1", "2"])
          await writeComic(join(root, folder, `Moth Patrol 00${number}.cbz`), {
            series: "Moth Patrol",
            number,
            pages: 2,
          });
      },
    });
    const admin = library.host.as("admin");
    const [{ id }] = (await admin.get("/api/collection")).body;
    const [{ cvIssueId }] = (await admin.get(`/api/collection/${id}`)).body.issues;
    const path = join(library.root, folder, "Moth Patrol 002.cbz");
    expect(await listed(library)).toEqual([]);
    expect((await admin.post(`/api/collection/${id}/assign-file`, { path, cvIssueId })).status).toBe(200);
    expect((await listed(library)).map(({ files }) => files.length)).toEqual([2]);
    expect((await admin.post(`/api/collection/${id}/assign-file`, { path: null, cvIssueId })).status).toBe(200);
    expect(await listed(library)).toEqual([]);
  });
});
