import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Catalog } from "@longbox/collection/contract";
import { systemViewer } from "@longbox/sdk";
import { describe, expect, it } from "vitest";
import { comic, openDownloadDesk, until } from "./support/download-desk.js";

describe("a missing issue", () => {
  it("is searched, downloaded, named and placed, and stands in the history", async () => {
    await using desk = await openDownloadDesk();
    desk.offer("3", await comic("3"));
    const { host } = desk;
    const heard = await host.domains("admin");
    const issueId = await desk.issueId("3");
    expect((await host.as("trusted").post("/api/download", { issueIds: [issueId] })).body).toEqual({ queued: 1 });
    await heard.until("queue");
    await heard.release();
    await desk.owns("3");
    expect(await desk.filesInLibrary()).toEqual([expect.stringMatching(/Moth Patrol.*003.*\.cbz$/)]);
    const { rows, total } = (await host.as("trusted").get("/api/history")).body;
    expect({ rows, total }).toMatchObject({
      total: 1,
      rows: [{ series: "Moth Patrol", number: "3", name: "Moth Patrol #3", cvIssueId: 50_013, source: "Fake" }],
    });
    expect(rows[0].path).toContain(desk.root);
    expect(desk.source.queries[0]).toMatchObject({
      series: "Moth Patrol",
      issue: { number: "3" },
      libraryType: "comic",
    });
    expect((await host.as("admin").get("/api/status")).body.queue).toEqual({
      running: false,
      paused: false,
      active: 0,
      waiting: 0,
    });
  });

  it("is queued once, however often it is asked for", async () => {
    await using desk = await openDownloadDesk();
    const admin = desk.host.as("admin");
    await admin.post("/api/queue/pause");
    const issueIds = [await desk.issueId("1"), await desk.issueId("2")];
    const answers = await Promise.all([1, 2, 3].map(() => admin.post("/api/download", { issueIds })));
    expect(answers.reduce((sum, { body }) => sum + body.queued, 0)).toBe(2);
    expect((await desk.queue()).items).toHaveLength(2);
  });

  it("is queued with all others that are wanted, as a preview had said", async () => {
    await using desk = await openDownloadDesk();
    const admin = desk.host.as("admin");
    await admin.post("/api/queue/pause");
    await admin.post("/api/download", { issueIds: [await desk.issueId("1")] });
    const all = async (body: object) => (await admin.post("/api/wanted/download-all", body)).body;
    expect(await all({ preview: true })).toEqual({ queued: 11 });
    expect(await all({ preview: true, q: "moth patrol 12" })).toEqual({ queued: 1 });
    expect((await desk.queue()).total).toBe(1);
    expect(await all({})).toEqual({ queued: 11 });
    expect(await all({ preview: true })).toEqual({ queued: 0 });
    expect((await desk.queue()).total).toBe(12);
  });

  it("that no source has ends with a reason, and can be tried again", async () => {
    await using desk = await openDownloadDesk();
    const admin = desk.host.as("admin");
    await admin.post("/api/download", { issueIds: [await desk.issueId("1")] });
    await until(async () => (await desk.item("1"))?.status === "failed");
    const item = await desk.item("1");
    expect(item.error).toBe("No source has it.");
    expect((await admin.get("/api/history/failed")).body).toMatchObject({ total: 1, rows: [{ number: "1" }] });
    desk.offer("1", await comic("1"));
    expect((await admin.post(`/api/queue/retry/${item.id}`)).body).toMatchObject({ status: "queued", attempts: 0 });
    await desk.owns("1");
  });
});

describe("the queue", () => {
  it("paused begins nothing, and goes on afterwards in the order that a person gave it", async () => {
    await using desk = await openDownloadDesk({ settings: { downloads: { concurrency: 1 } } });
    const admin = desk.host.as("admin");
    for (const number of ["1", "2", "3"]) desk.offer(number, await comic(number));
    expect((await admin.post("/api/queue/pause")).body).toEqual({ paused: true });
    await admin.post("/api/download", { issueIds: await Promise.all(["1", "2", "3"].map(desk.issueId)) });
    const ids = (await desk.queue()).items.map(({ id }: { id: number }) => id);
    await admin.post("/api/queue/order", { ids: [ids[2]] });
    expect((await admin.patch(`/api/queue/${ids[1]}`, { priority: "high" })).body).toMatchObject({ priority: 1 });
    expect((await desk.queue()).items.map(({ number }: { number: string }) => number)).toEqual(["2", "3", "1"]);
    await desk.host.restart();
    expect((await desk.queue()).paused).toBe(true);
    expect(desk.source.queries).toEqual([]);
    await desk.host.as("admin").post("/api/queue/resume");
    await desk.owns("1", "2", "3");
    expect(desk.source.queries.map(({ issue }) => issue?.number)).toEqual(["2", "3", "1"]);
  });

  it("removes what a download left that ended when the server was killed", async () => {
    const dataFolder = await mkdtemp(join(tmpdir(), "longbox-downloads-left-"));
    try {
      await using desk = await openDownloadDesk({ dataFolder, storage: "sqlite" });
      const arriving = (await readdir(dataFolder, { recursive: true })).find((path) =>
        path.endsWith("files/arriving"),
      )!;
      const left = join(dataFolder, arriving, "of-an-attempt");
      await mkdir(left);
      await writeFile(join(left, "1.cbz"), "PK");
      await desk.host.restart();
      await desk.queue();
      expect(await readdir(join(dataFolder, arriving))).toEqual([]);
    } finally {
      await rm(dataFolder, { recursive: true, force: true });
    }
  });

  it("lets go of what is cancelled, also in the middle of a download", async () => {
    await using desk = await openDownloadDesk();
    const admin = desk.host.as("admin");
    const bytes = await comic("1", 6);
    const release = desk.offer("1", bytes);
    const { pathname } = new URL(release.reference);
    desk.files.serve(pathname, bytes, { pieceBytes: 64, breathMs: 20 });
    await admin.post("/api/download", { issueIds: [await desk.issueId("1")] });
    await until(async () => (await desk.item("1"))?.status === "downloading" && desk.files.asked.length === 1);
    const { id, seriesId } = await desk.item("1");
    const activity = async () => (await desk.host.as("trusted").get("/api/queue/activity")).body;
    expect(await activity()).toMatchObject({
      count: 1,
      items: [{ id, title: "Moth Patrol #1", href: `/series/${seriesId}`, cancel: `/api/queue/cancel/${id}` }],
    });
    expect((await admin.post(`/api/queue/cancel/${id}`)).body).toMatchObject({ status: "cancelled" });
    expect(await activity()).toEqual({ count: 0, items: [] });
    expect((await desk.queue()).items).toEqual([]);
    expect(await desk.filesInLibrary()).toEqual([]);
    await until(() => desk.files.interrupted === 1);
    expect((await admin.post(`/api/queue/cancel/${id}`)).status).toBe(409);
    expect((await admin.post("/api/queue/cancel/99999")).status).toBe(404);
  });

  it("names books by their titles, wherever they are shown", async () => {
    await using desk = await openDownloadDesk({ plugins: ["reading", "books"] });
    const admin = desk.host.as("admin");
    const rootFolder = join(desk.root, "..", "books");
    await mkdir(rootFolder);
    expect((await admin.post("/api/libraries", { name: "Books", type: "ebook", rootFolder })).status).toBe(200);
    const work = (title: string, number: string) => ({
      ids: { scheme: "openlibrary", values: [`OL${number}W`] },
      title,
      authors: ["Ada Quill"],
      series: { name: "Low Tides", number },
      subjects: [],
    });
    const request = { viewer: systemViewer, libraryTypes: ["ebook"], why: "picked" as const, download: false };
    const catalog = desk.host.use(Catalog);
    const { issueId } = await catalog.addWork(work("The Salt Road", "2"), request);
    await admin.post("/api/download", { issueIds: [issueId] });
    await until(async () => (await desk.item("2"))?.status === "failed");
    expect(await desk.item("2")).toMatchObject({ series: "Low Tides", name: "The Salt Road" });
    expect((await admin.get("/api/history/failed")).body.rows).toMatchObject([{ name: "The Salt Road" }]);
    const titles = async () =>
      (await admin.get("/api/notifications")).body.map(({ title }: { title: string }) => title);
    await expect.poll(titles).toEqual(["The Salt Road could not be downloaded"]);
  });

  it("clears what waits, and what failed", async () => {
    await using desk = await openDownloadDesk();
    const admin = desk.host.as("admin");
    await admin.post("/api/download", { issueIds: [await desk.issueId("1")] });
    await until(async () => (await desk.item("1"))?.status === "failed");
    await admin.post("/api/queue/pause");
    await admin.post("/api/download", { issueIds: [await desk.issueId("2")] });
    expect((await admin.post("/api/queue/clear")).body).toEqual({ cleared: 1 });
    expect((await admin.post("/api/retry-failed")).body).toEqual({ queued: 1 });
    expect((await desk.item("1")).status).toBe("queued");
    await admin.post("/api/queue/resume");
    await until(async () => (await desk.item("1"))?.status === "failed");
    expect((await admin.post("/api/clear-failed")).body).toEqual({ cleared: 1 });
    expect((await desk.queue()).items).toEqual([]);
  });
});

describe("owned issues", () => {
  it("are got again, and the old file goes only once the new one is there", async () => {
    await using desk = await openDownloadDesk();
    const admin = desk.host.as("admin");
    desk.offer("1", await comic("1"));
    await admin.post("/api/download", { issueIds: [await desk.issueId("1")] });
    await desk.owns("1");
    const [before] = await desk.filesInLibrary();
    desk.source.releases.length = 0;
    const again = () => admin.post(`/api/collection/${desk.seriesId}/redownload`, { cvIssueIds: [50_011] });
    expect((await again()).body).toEqual({ queued: 1 });
    await until(async () => (await desk.item("1"))?.status === "failed");
    expect(await desk.filesInLibrary()).toEqual([before]);
    await admin.post("/api/clear-failed");
    desk.offer("1", await comic("1", 5), { guid: "better" });
    expect((await admin.post("/api/redownload", { cvIssueIds: [50_011] })).body).toEqual({ queued: 1 });
    await until(async () => (await admin.get("/api/history")).body.total === 2);
    const holdings = await admin.get(`/api/issue/50011`);
    expect(holdings.body.files).toMatchObject([{ pages: 5 }]);
    // The old one lies in the trash, and nowhere else.
    expect((await desk.filesInLibrary()).filter((name) => !name.includes(".longbox-trash"))).toHaveLength(1);
  });
});
