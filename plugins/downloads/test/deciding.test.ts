import { readFile } from "node:fs/promises";
import { Catalog } from "@longbox/collection/contract";
import { systemViewer, translatedBy } from "@longbox/sdk";
import { describe, expect, it } from "vitest";
import { comic, openDownloadDesk, volume, type DownloadDesk } from "./support/download-desk.js";

const search = async (desk: DownloadDesk, body: object = { cvIssueId: 50_013 }, role = "trusted") =>
  desk.host.as(role).post("/api/search", { seriesId: desk.seriesId, ...body });

const textsIn = async (language: string): Promise<Record<string, string>> =>
  JSON.parse(await readFile(new URL(`../messages/${language}.json`, import.meta.url), "utf8")).texts;

describe("a search by hand", () => {
  it("ranks what fits, and says of the rest what speaks against it", async () => {
    await using desk = await openDownloadDesk({
      settings: { downloads: { maxMegabytes: 100, refusedWords: "scanlation" } },
    });
    const bytes = await comic("3");
    const offer = (guid: string, title: string, target = {}) => desk.offer("3", bytes, { guid, title, ...target });
    offer("right", "Moth Patrol 003 (2019) (Digital).cbz");
    offer("plain", "Moth Patrol 3");
    offer("alias", "Night Moths 003 (2019).cbz");
    offer("series", "Salt Road 003 (2019).cbz");
    offer("issue", "Moth Patrol 004 (2019).cbz");
    offer("year", "Moth Patrol 003 (1987).cbz");
    offer("format", "Moth Patrol 003 (2019).m4b");
    offer("large", "Moth Patrol 003 (2019) (large).cbz", { sizeBytes: 500 * 1024 * 1024 });
    offer("word", "Moth Patrol 003 (2019) (Scanlation).cbz");
    offer("password", "Moth Patrol 003 (2019) (locked).cbz", { passwordProtected: true });
    offer("pack", "Moth Patrol 001-006 (2019).cbz");
    const { body } = await search(desk);
    const said = new Map<string, any>(body.map((row: any) => [row.title, row]));
    const against = (title: string) =>
      said
        .get(title)
        .reasons.filter((reason: any) => reason.against)
        .map(({ code }: any) => code);
    expect(body.filter(({ accepted }: any) => accepted).map(({ title }: any) => title)).toEqual([
      "Moth Patrol 003 (2019) (Digital).cbz",
      "Night Moths 003 (2019).cbz",
      "Moth Patrol 3",
    ]);
    expect(against("Salt Road 003 (2019).cbz")).toEqual(["wrong-series"]);
    expect(against("Moth Patrol 004 (2019).cbz")).toEqual(["wrong-issue"]);
    expect(against("Moth Patrol 003 (1987).cbz")).toEqual(["wrong-year"]);
    expect(against("Moth Patrol 003 (2019).m4b")).toEqual(["wrong-format"]);
    expect(against("Moth Patrol 003 (2019) (large).cbz")).toEqual(["too-large"]);
    expect(against("Moth Patrol 003 (2019) (Scanlation).cbz")).toEqual(["word-refused"]);
    expect(against("Moth Patrol 003 (2019) (locked).cbz")).toEqual(["password-protected"]);
    expect(against("Moth Patrol 001-006 (2019).cbz")).toEqual(["pack"]);
    const texts = body.flatMap((row: any) => row.reasons.map(({ text }: any) => text)) as string[];
    for (const text of texts) expect(text).toMatch(/^[A-Z].*\.$/);
    for (const language of ["de", "ar"]) {
      const said = translatedBy([await textsIn(language)]);
      expect(texts.filter((text) => said(text) === undefined)).toEqual([]);
    }
  });

  it("reads an annual as a number of a series of annuals, and as no number of the series itself", async () => {
    await using desk = await openDownloadDesk();
    const issues = ["7", "8"].map((number) => ({
      cvIssueId: 60_000 + Number(number),
      number,
      coverDate: "2019-08-01",
    }));
    const annuals = { ...volume, cvId: 5002, title: "Moth Patrol Annual", aliases: [], issues };
    await desk.host.use(Catalog).addVolume(annuals, { viewer: systemViewer, download: false });
    const { seriesId } = (await desk.host.use(Catalog).findByVolumes([5002], systemViewer))[0]!;
    const bytes = await comic("8");
    for (const title of ["Moth Patrol Annual 008 (2019).cbz", "Moth Patrol Annual #8", "Moth Patrol 008 (2019).cbz"])
      desk.offer("8", bytes, { guid: title, title });
    const accepted = async (body: object) =>
      (await search(desk, body)).body.filter((row: any) => row.accepted).map(({ title }: any) => title);
    expect(await accepted({ seriesId, cvIssueId: 60_008 })).toEqual([
      "Moth Patrol Annual 008 (2019).cbz",
      "Moth Patrol Annual #8",
    ]);
    expect(await accepted({ seriesId, cvIssueId: 60_007 })).toEqual([]);
    expect(await accepted({ cvIssueId: 50_018 })).toEqual(["Moth Patrol 008 (2019).cbz"]);
  });

  it("lets a person take what was rejected, and never an address of their own", async () => {
    await using desk = await openDownloadDesk();
    desk.offer("3", await comic("3"), { title: "Some other name" });
    const { body } = await search(desk);
    expect(body).toMatchObject([{ accepted: false }]);
    const trusted = desk.host.as("trusted");
    const grab = (result: object, role = "trusted") =>
      desk.host.as(role).post("/api/search/grab", { result, seriesId: desk.seriesId, cvIssueId: 50_013 });
    expect((await grab({ id: "made-up", reference: "http://127.0.0.1/" })).status).toBe(404);
    expect((await grab(body[0], "admin")).status).toBe(404);
    expect((await grab(body[0])).body).toMatchObject({ number: "3", release: "Some other name" });
    await desk.owns("3");
    expect((await trusted.get("/api/history")).body.rows).toMatchObject([{ release: "Some other name" }]);
  });

  it("says of a pack what is in it", async () => {
    await using desk = await openDownloadDesk();
    desk.offer("3", await comic("3"), { title: "Moth Patrol 001-003 (2019)", guid: "pack" });
    const { body } = await desk.host.as("trusted").post("/api/packs/search", { seriesId: desk.seriesId });
    expect(body).toMatchObject([
      { pack: true, accepted: true, issues: ["1", "2", "3"].map((number) => ({ number, wanted: true, owned: false })) },
    ]);
  });
});

describe("what is restricted", () => {
  it("is neither searched, queued nor seen by those who may not know of it", async () => {
    await using desk = await openDownloadDesk();
    const admin = desk.host.as("admin");
    await admin.post("/api/roles", {
      name: "getter",
      label: "Getter",
      permissions: ["library.view", "downloads.grab"],
    });
    const issueId = await desk.issueId("3");
    await admin.post("/api/download", { issueIds: [issueId] });
    const getter = desk.host.as("getter");
    await expect
      .poll(async () => (await getter.get("/api/queue")).body.items[0]?.status, { timeout: 30_000 })
      .toBe("failed");
    const { id } = (await desk.queue()).items[0];
    const restricted = await admin.post(`/api/collection/${desk.seriesId}/restricted`, { restricted: true });
    expect(restricted.status).toBe(200);
    await expect.poll(async () => (await getter.get("/api/queue")).body.items, { timeout: 30_000 }).toEqual([]);
    expect((await desk.queue()).items).toHaveLength(1);
    expect((await getter.get("/api/history/failed")).body).toEqual({ rows: [], total: 0 });
    expect((await admin.get("/api/history/failed")).body.total).toBe(1);
    expect((await search(desk, { cvIssueId: 50_013 }, "getter")).status).toBe(404);
    expect((await getter.post("/api/download", { issueIds: [issueId] })).body).toEqual({ queued: 0 });
    expect((await getter.post(`/api/queue/retry/${id}`)).status).toBe(404);
    expect((await getter.post(`/api/queue/cancel/${id}`)).status).toBe(404);
    expect((await getter.post(`/api/collection/${desk.seriesId}/redownload`)).status).toBe(404);
  });
});
