import { hash } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { comicEntries, comicInfoXml, seededRandom, writeLibrary, zip, type SeriesPlan } from "@longbox/test/fixtures";
import { FilesContent, type Fingerprint } from "@longbox/files/contract";
import { systemViewer, type Viewer } from "@longbox/sdk";
import { sql, type Kysely } from "kysely";
import { describe, expect, it } from "vitest";
import { startLibrary, type TestLibrary } from "./support/library.js";

const moths: SeriesPlan = { title: "Moth Patrol", year: 2019, issues: ["1", "2"], pages: 2, tagged: false };
const firstName = "Moth Patrol 001 (2019).cbz";
const first = join("Moth Patrol (2019)", firstName);
const narrow: Viewer = { ...systemViewer, seesRestricted: false };

/** As KOReader's documentation tells it: a kilobyte at 0 and at each power of four kilobytes, until the file ends. */
function partialMd5(bytes: Uint8Array): Fingerprint {
  const starts = [0, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576].filter((start) => start < bytes.length);
  const samples = starts.map((start) => bytes.subarray(start, start + 1024));
  return { scheme: "partial-md5", value: hash("md5", Buffer.concat(samples)) };
}

const nameMd5 = (name: string): Fingerprint => ({ scheme: "name-md5", value: hash("md5", name) });

function noisyComic(seed: number, bytes: number): Uint8Array {
  const random = seededRandom(seed);
  const noise = Buffer.from(Array.from({ length: bytes }, () => Math.floor(random.next() * 256)));
  return zip(new Map([["1.jpg", Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), noise])]]));
}

const find = (library: TestLibrary, fingerprint: Fingerprint, viewer: Viewer = systemViewer) =>
  library.host.use(FilesContent).findByFingerprint(fingerprint, viewer);

async function issueOf(library: TestLibrary, number: string): Promise<number> {
  return -(await library.files()).find((file) => file.number === number)!.cvIssueId;
}

describe("fingerprints of files", () => {
  it("are those of KOReader: of samples of the contents, and of the name", async () => {
    await using library = await startLibrary({ fill: (root) => writeLibrary(root, [moths]) });
    const path = join(library.root, first);
    await writeFile(path, noisyComic(1, 300_000));
    await library.scan();
    const issueId = await issueOf(library, "1");
    const match = { issueId, path, former: false };
    const byContent = partialMd5(await readFile(path));
    expect(await find(library, byContent)).toEqual([match]);
    expect(await find(library, { ...byContent, value: byContent.value.toUpperCase() })).toEqual([match]);
    expect(await find(library, nameMd5(firstName))).toEqual([match]);
    expect(await find(library, { ...byContent, scheme: "name-md5" })).toEqual([]);
    expect(await find(library, { scheme: "partial-md5", value: "" })).toEqual([]);
    const listed = await library.host.use(FilesContent).findFingerprints([issueId, 999]);
    expect([...listed.keys()]).toEqual([issueId]);
    expect(listed.get(issueId)).toContainEqual({ ...byContent, former: false });
    expect(listed.get(issueId)).toContainEqual({ ...nameMd5(firstName), former: false });
  });

  it("hide what the viewer may not see", async () => {
    await using library = await startLibrary({ fill: (root) => writeLibrary(root, [moths]) });
    const fingerprint = partialMd5(await readFile(join(library.root, first)));
    expect(await find(library, fingerprint, narrow)).toHaveLength(1);
    const [series] = (await library.host.as("admin").get("/api/collection")).body;
    await library.host.as("admin").post(`/api/collection/${series.id}/restricted`, { restricted: true });
    expect(await find(library, fingerprint, narrow)).toEqual([]);
    expect(await find(library, nameMd5(firstName), narrow)).toEqual([]);
    expect(await find(library, fingerprint)).toHaveLength(1);
  });

  it("of a copy that a device took before the file was tagged still name the issue", async () => {
    const tags = new TextEncoder().encode(comicInfoXml({ Series: "Moth Patrol", Number: "1" }));
    const comic = await comicEntries({ series: "Moth Patrol", number: "1", pages: 2 });
    await using library = await startLibrary({
      async fill(root) {
        await writeLibrary(root, [moths]);
        await writeFile(join(root, first), zip(new Map([["ComicInfo.xml", tags], ...comic])));
      },
    });
    const path = join(library.root, first);
    const issueId = await issueOf(library, "1");
    const before = partialMd5(await readFile(path));
    const [series] = (await library.host.as("admin").get("/api/collection")).body;
    await library.host.as("admin").post(`/api/collection/${series.id}/tag`, {});
    await expect
      .poll(async () => (await find(library, before))[0], { timeout: 30_000 })
      .toEqual({ issueId, path: undefined, former: true });
    const now = partialMd5(await readFile(path));
    expect(now).not.toEqual(before);
    expect(await find(library, now)).toEqual([{ issueId, path, former: false }]);
  });

  it("of a file that was replaced, renamed or moved stay with its issue, and go with it", async () => {
    await using library = await startLibrary({ fill: (root) => writeLibrary(root, [moths]) });
    const path = join(library.root, first);
    const issueId = await issueOf(library, "1");
    const original = partialMd5(await readFile(path));
    await writeFile(path, noisyComic(2, 5000));
    await library.scan();
    const replaced = partialMd5(await readFile(path));
    const moved = join(library.root, "Moth Patrol (2019)", "Moth Patrol 1.cbz");
    await rename(path, moved);
    await library.scan();
    expect(await find(library, original)).toEqual([{ issueId, path: undefined, former: true }]);
    expect(await find(library, replaced)).toEqual([{ issueId, path: moved, former: false }]);
    expect(await find(library, nameMd5(firstName))).toEqual([{ issueId, path: undefined, former: true }]);
    expect(await find(library, nameMd5(basename(moved)))).toEqual([{ issueId, path: moved, former: false }]);
    // Nothing but its file told of the issue.
    await rm(moved);
    await library.scan();
    expect((await library.files()).map(({ number }) => number)).toEqual(["2"]);
    for (const fingerprint of [original, replaced, nameMd5(firstName)])
      expect(await find(library, fingerprint)).toEqual([]);
  });

  it("follow a file that a person assigned to another issue", async () => {
    await using library = await startLibrary({ fill: (root) => writeLibrary(root, [moths]) });
    const path = join(library.root, first);
    const before = partialMd5(await readFile(path));
    await writeFile(path, noisyComic(3, 5000));
    await library.scan();
    const two = await issueOf(library, "2");
    const [series] = (await library.host.as("admin").get("/api/collection")).body;
    const assigned = await library.host
      .as("admin")
      .post(`/api/collection/${series.id}/assign-file`, { path, cvIssueId: -two });
    expect(assigned.status).toBe(200);
    expect(await find(library, partialMd5(await readFile(path)))).toEqual([{ issueId: two, path, former: false }]);
    expect(await find(library, before)).toEqual([{ issueId: two, path: undefined, former: true }]);
    const listed = await library.host.use(FilesContent).findFingerprints([two]);
    expect(listed.get(two)).toContainEqual({ ...before, former: true });
  });

  it("are taken in the background of files that were scanned before there were any", async () => {
    await using library = await startLibrary({
      storage: "sqlite",
      settings: { scanAtStart: false },
      fill: (root) => writeLibrary(root, [{ ...moths, issues: Array.from({ length: 12 }, (_, at) => String(at + 1)) }]),
    });
    const fingerprint = partialMd5(await readFile(join(library.root, first)));
    await library.host.stop();
    await library.host.tables("files", (database) =>
      database.updateTable("scanned_file").set({ partial_md5: null, name_md5: null }).execute(),
    );
    await library.host.restart();
    await expect.poll(() => find(library, fingerprint), { timeout: 30_000 }).toHaveLength(1);
    expect((await find(library, fingerprint))[0]?.issueId).toBe(await issueOf(library, "1"));
  });

  it("of a server that kept them in a table of their own are taken over", async () => {
    await using library = await startLibrary({ storage: "sqlite", fill: (root) => writeLibrary(root, [moths]) });
    const path = join(library.root, first);
    const issueId = await issueOf(library, "1");
    const former = partialMd5(await readFile(path));
    await writeFile(path, noisyComic(4, 5000));
    await library.scan();
    await library.host.stop();
    await library.host.tables("files", bringBackFormerTables);
    await library.host.restart();
    expect(await find(library, partialMd5(await readFile(path)))).toEqual([{ issueId, path, former: false }]);
    expect(await find(library, nameMd5(firstName))).toEqual([{ issueId, path, former: false }]);
    expect(await find(library, former)).toEqual([{ issueId, path: undefined, former: true }]);
    // Nothing is taken again of files whose fingerprints are known.
    const jobs = (await library.host.as("admin").get("/api/jobs?kind=files.fingerprints")).body;
    expect(JSON.stringify(jobs)).not.toContain("Take fingerprints");
  });

  it("of a copy that differs where a scan does not look still name the issue", async () => {
    const page = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(5000, 7)]);
    const packed = zip(new Map([["1.jpg", page]]));
    await using library = await startLibrary({
      async fill(root) {
        await writeLibrary(root, [moths]);
        await writeFile(join(root, first), packed);
      },
    });
    const path = join(library.root, first);
    const issueId = await issueOf(library, "1");
    // Archives are told apart by their directory; this is the time in front of the only file.
    const again = Buffer.from(packed);
    again.writeUInt16LE(again.readUInt16LE(10) ^ 1, 10);
    await writeFile(path, again);
    await library.scan();
    expect(await find(library, partialMd5(again))).toEqual([{ issueId, path, former: false }]);
    expect(await find(library, partialMd5(packed))).toEqual([{ issueId, path: undefined, former: true }]);
  });

  it("outlive the library, and are current again when its folder becomes one once more", async () => {
    await using library = await startLibrary({ fill: (root) => writeLibrary(root, [moths]) });
    const path = join(library.root, first);
    const fingerprint = partialMd5(await readFile(path));
    const admin = library.host.as("admin");
    expect((await admin.delete(`/api/libraries/${library.libraryId}`)).status).toBe(200);
    const isFormer = async () => (await find(library, fingerprint)).map(({ former }) => former);
    await expect.poll(isFormer, { timeout: 30_000 }).not.toContain(false);
    const again = await admin.post("/api/libraries", { name: "Again", type: "comic", rootFolder: library.root });
    expect(again.status).toBeLessThan(300);
    await expect.poll(isFormer, { timeout: 30_000 }).toEqual([false]);
    expect((await find(library, fingerprint))[0]).toMatchObject({ path });
  });

  it("of a file that was away are current again, and no former version is left of them", async () => {
    await using library = await startLibrary({ fill: (root) => writeLibrary(root, [moths]) });
    const path = join(library.root, first);
    const original = await readFile(path);
    const issueId = await issueOf(library, "1");
    for (const bytes of [noisyComic(5, 5000), original]) {
      await writeFile(path, bytes);
      await library.scan();
    }
    const match = { issueId, path, former: false };
    expect(await find(library, partialMd5(original))).toEqual([match]);
    expect(await find(library, nameMd5(firstName))).toEqual([match]);
    const listed = (await library.host.use(FilesContent).findFingerprints([issueId])).get(issueId);
    expect(listed?.filter(({ former }) => former)).toEqual([{ ...partialMd5(noisyComic(5, 5000)), former: true }]);
    expect(listed?.filter(({ former }) => !former)).toHaveLength(2);
  });
});

/** The tables of files as they were before the step `0007-former-files`. */
async function bringBackFormerTables(database: Kysely<any>): Promise<void> {
  const columns = ["path", "partial_md5", "name_md5", "issue_id", "seen_at"];
  await database.schema
    .createTable("file_fingerprint")
    .as(
      database
        .selectFrom("former_file")
        .select([...columns, sql`0`.as("is_current")])
        .unionAll(
          database
            .selectFrom("scanned_file")
            .select(["path", "partial_md5", "name_md5", "issue_id", sql`0`.as("seen_at"), sql`1`.as("is_current")]),
        ),
    )
    .execute();
  await database.schema.dropTable("former_file").execute();
  for (const column of ["partial_md5", "name_md5"]) {
    await database.schema.dropIndex(`scanned_file_by_${column}`).execute();
    await database.schema.alterTable("scanned_file").dropColumn(column).execute();
  }
  await database.deleteFrom("longbox_migration").where("name", "=", "0007-former-files").execute();
}
