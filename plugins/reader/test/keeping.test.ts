import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { needs } from "@longbox/test/needs";
import { describe, expect, it } from "vitest";
import { systemViewer } from "@longbox/sdk";
import { Catalog } from "@longbox/collection/contract";
import { drawPage, writeComic } from "@longbox/test/fixtures";
import { pdf } from "./support/pdf.js";
import { openReadingRoom, until } from "./support/reading-room.js";

const corpus = fileURLToPath(new URL("../../../../shared/corpus/archives/komga/", import.meta.url));
const plans = [{ title: "Moth Patrol", year: 2019, issues: ["1", "2"] }];

describe("progress", () => {
  it("survives a file that is renamed, and one that is replaced by another", async () => {
    await using room = await openReadingRoom({ plans, storage: "sqlite" });
    const [one, two] = [await room.issue("Moth Patrol", "1"), await room.issue("Moth Patrol", "2")];
    const viewer = room.host.as("viewer");
    for (const { cvIssueId } of [one, two])
      await viewer.post(`/api/reader/issue/${cvIssueId}/progress`, { page: 2, pages: 4, completed: false });
    await rename(one.path, one.path.replace("Moth Patrol 001 (2019)", "Moth Patrol 001 (2019) (digital)"));
    await writeComic(two.path, {
      series: "Moth Patrol",
      number: "2",
      pages: 7,
      tags: { Series: "Moth Patrol", Number: 2, Volume: 2019 },
    });
    await room.scan();
    await until(
      async () => (await viewer.get(`/api/reader/issue/${two.cvIssueId}`)).body.pageCount === 7,
      "The new file was not found.",
    );
    const opened = await Promise.all(
      [one, two].map(async ({ cvIssueId }) => (await viewer.get(`/api/reader/issue/${cvIssueId}`)).body),
    );
    expect(opened.map(({ pageCount, progress }) => [pageCount, progress?.page])).toEqual([
      [4, 2],
      [7, 2],
    ]);
  });

  it("survives the last file of a series going away and coming back, and the series being dropped and tracked again", async () => {
    await using room = await openReadingRoom({ plans, storage: "sqlite" });
    const { cvIssueId, seriesId, path } = await room.issue("Moth Patrol", "1");
    const two = await room.issue("Moth Patrol", "2");
    const [viewer, admin] = [room.host.as("viewer"), room.host.as("admin")];
    await viewer.post(`/api/reader/issue/${cvIssueId}/progress`, { page: 2, pages: 4, completed: false });
    await viewer.post(`/api/reader/issue/${cvIssueId}/bookmark`, { page: 3, on: true });
    await viewer.post(`/api/reader/series/${seriesId}/preferences`, { direction: "rtl" });
    const bytes = await Promise.all([path, two.path].map((one) => readFile(one)));
    await writeComic(path.replaceAll("Moth Patrol", "Night Bell"), { series: "Night Bell", number: "1", pages: 2 });
    for (const one of [path, two.path]) await rm(one);
    await room.scan();
    expect((await viewer.get(`/api/reader/issue/${cvIssueId}`)).status).toBe(404);
    await mkdir(dirname(path), { recursive: true });
    for (const [index, one] of [path, two.path].entries()) await writeFile(one, bytes[index]!);
    await room.scan();
    const opened = async () =>
      (await viewer.get(`/api/reader/issue/${(await room.issue("Moth Patrol", "1")).cvIssueId}`)).body;
    expect(await opened()).toMatchObject({ progress: { page: 2 }, bookmarks: [3], direction: "rtl" });
    await admin.post(`/api/collection/${seriesId}/delete`, {});
    await admin.post(`/api/collection/${seriesId}/track`, {});
    expect(await opened()).toMatchObject({ progress: { page: 2 }, bookmarks: [3], direction: "rtl" });
  });

  it("follows issues of a series that turned out to be another, also while the reader was switched off", async () => {
    const scans = (title: string) => ({ title, year: 2019, issues: ["1"] });
    await using room = await openReadingRoom({
      plans: [scans("Moth Patrol"), scans("Moth Patrol Scans"), scans("Mothpatrol")],
      storage: "sqlite",
    });
    const [kept, heard, missed] = [
      await room.issue("Moth Patrol", "1"),
      await room.issue("Moth Patrol Scans", "1"),
      await room.issue("Mothpatrol", "1"),
    ];
    const viewer = room.host.as("viewer");
    const [catalog, volume] = [
      room.host.use(Catalog),
      {
        cvId: 5001,
        title: "Moth Patrol",
        year: 2019,
        aliases: [],
        status: "ended" as const,
        issues: [{ cvIssueId: 50011, number: "1" }],
      },
    ];
    await catalog.matchSeries(kept.seriesId, volume, systemViewer);
    await viewer.post(`/api/reader/issue/${heard.cvIssueId}/progress`, { page: 1, pages: 4, completed: false });
    await viewer.post(`/api/reader/series/${heard.seriesId}/preferences`, { direction: "rtl" });
    await catalog.matchSeries(heard.seriesId, volume, systemViewer);
    const state = async () => (await viewer.get("/api/reader/issue/50011")).body;
    await until(async () => (await state()).progress?.page === 1, "The progress did not follow.");
    expect(await state()).toMatchObject({ direction: "rtl", preferences: { direction: "rtl" } });

    await viewer.post(`/api/reader/issue/${missed.cvIssueId}/progress`, { page: 2, pages: 4, completed: false });
    await viewer.post(`/api/reader/issue/${missed.cvIssueId}/bookmark`, { page: 3, on: true });
    await viewer.post(`/api/reader/later/${missed.cvIssueId}`, { on: true });
    await viewer.post(`/api/reader/issue/${missed.cvIssueId}/opinion`, { rating: 4, note: "The moth is real." });
    for (const plugin of ["reader", "reading"]) await room.host.disable(plugin);
    await catalog.matchSeries(missed.seriesId, volume, systemViewer);
    for (const plugin of ["reading", "reader"]) await room.host.enable(plugin);
    await until(
      // The two plugins follow each by itself.
      async () => {
        const { progress, bookmarks } = await state();
        return progress?.page === 2 && bookmarks.length === 1;
      },
      "The progress or the bookmarks did not follow what had happened meanwhile.",
    );
    expect([await state(), (await viewer.get("/api/reader/bookmarks")).body]).toMatchObject([
      { later: true, bookmarks: [3] },
      [{ cvIssueId: 50011, page: 3 }],
    ]);
    expect((await viewer.get("/api/reader/issue/50011/opinion")).body).toEqual({
      rating: 4,
      note: "The moth is real.",
    });
    expect((await viewer.get("/api/reader/continue")).body.items).toMatchObject([
      { cvIssueId: 50011, seriesId: kept.seriesId },
    ]);
  });

  it("passes from the local admin of a new server to its first account", async () => {
    await using room = await openReadingRoom({ plans, openMode: true });
    const { cvIssueId } = await room.issue("Moth Patrol", "1");
    const local = room.host.as("anonymous");
    await local.post(`/api/reader/issue/${cvIssueId}/progress`, { page: 1, pages: 4, completed: false });
    await local.post(`/api/reader/issue/${cvIssueId}/bookmark`, { page: 3, on: true });
    await local.post(`/api/reader/issue/${cvIssueId}/opinion`, { rating: 2 });
    const registered = await fetch(`${room.host.url}/api/auth/register`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: room.host.url },
      body: JSON.stringify({ username: "ada", password: "correct horse" }),
    });
    const cookie = registered.headers.get("set-cookie")!.split(";")[0]!;
    const [opened, opinion] = await Promise.all(
      ["", "/opinion"].map(async (part) =>
        (await fetch(`${room.host.url}/api/reader/issue/${cvIssueId}${part}`, { headers: { Cookie: cookie } })).json(),
      ),
    );
    expect(opened).toMatchObject({ progress: { page: 1 }, bookmarks: [3] });
    expect(opinion).toEqual({ rating: 2, note: "" });
  });
});

describe(
  "pages of other archives",
  needs(existsSync(corpus), "the shared corpus of samples is not beside the checkout"),
  () => {
    it("come out of RAR, solid RAR and 7z, in their own type and in others", async () => {
      const names = ["rar4.rar", "rar4-solid.rar", "rar5.rar", "rar5-solid.rar", "7zip.7z"];
      await using room = await openReadingRoom({
        plans: [],
        plugins: [
          "imaging",
          "operations",
          "collection",
          "files",
          "comics",
          "archive-rar",
          "archive-7z",
          "reading",
          "reader",
        ],
        fill: (root) =>
          Promise.all(
            names.map(async (name, index) => {
              const folder = join(root, `Box ${"ABCDE"[index]}ox (2020)`);
              await mkdir(folder);
              await copyFile(
                join(corpus, name),
                join(folder, `Box ${"ABCDE"[index]}ox 001 (2020)${name.endsWith("7z") ? ".cb7" : ".cbr"}`),
              );
            }),
          ),
      });
      const viewer = room.host.as("viewer");
      for (const letter of "ABCDE") {
        const { cvIssueId } = await room.issue(`Box ${letter}ox`, "1");
        const { pageCount } = (await viewer.get(`/api/reader/issue/${cvIssueId}`)).body;
        expect(pageCount).toBeGreaterThan(0);
        const [whole, small] = await Promise.all([
          viewer.get(`/api/reader/issue/${cvIssueId}/page/0`),
          viewer.get(`/api/reader/issue/${cvIssueId}/page/${pageCount - 1}?w=160`, { Accept: "image/webp" }),
        ]);
        expect([
          whole.status,
          (await sharp(whole.bytes).metadata()).width! > 0,
          small.headers.get("content-type"),
          (await sharp(small.bytes).metadata()).width,
        ]).toEqual([200, true, "image/webp", 48]);
      }
    });
  },
);

describe("pages of a PDF", () => {
  it("show the images on them pixel for pixel, in place and in proportion", async () => {
    const strip = (seed: number, height: number) => drawPage(seed, String(seed), { width: 600, height });
    const [scan, upper, lower] = await Promise.all([strip(1, 900), strip(2, 450), strip(3, 450)]);
    const whole = { width: 300, height: 450 };
    const pages = [
      { ...whole, images: [{ bytes: scan, width: 600, height: 900, at: { x: 0, y: 0, ...whole } }] },
      {
        ...whole,
        images: [
          { bytes: upper, width: 600, height: 450, at: { x: 0, y: 225, width: 300, height: 225 } },
          { bytes: lower, width: 600, height: 450, at: { x: 0, y: 0, width: 300, height: 225 } },
        ],
      },
      { ...whole, images: [] },
    ];
    await using room = await openReadingRoom({
      plans: [],
      async fill(root) {
        await mkdir(join(root, "Paper Box (2020)"));
        await writeFile(join(root, "Paper Box (2020)", "Paper Box 001 (2020).pdf"), pdf(pages));
      },
    });
    const { cvIssueId } = await room.issue("Paper Box", "1");
    const viewer = room.host.as("viewer");
    const page = async (n: number, query = "") => viewer.get(`/api/reader/issue/${cvIssueId}/page/${n}${query}`);
    expect((await viewer.get(`/api/reader/issue/${cvIssueId}`)).body.pageCount).toBe(3);
    const [first, second, small] = [await page(0), await page(1), await page(0, "?w=160")];
    expect([first.headers.get("content-type"), (await sharp(small.bytes).metadata()).width]).toEqual([
      "image/jpeg",
      160,
    ]);
    expect(await sharp(first.bytes).metadata()).toMatchObject({ width: 600, height: 900 });
    expect(await difference(first.bytes, scan)).toBeLessThan(6);
    const half = (bytes: Uint8Array, top: number) =>
      sharp(bytes).extract({ left: 0, top, width: 600, height: 450 }).png().toBuffer();
    expect(await difference(await half(second.bytes, 0), upper)).toBeLessThan(6);
    expect(await difference(await half(second.bytes, 450), lower)).toBeLessThan(6);
    const blank = await page(2);
    expect([blank.status, (await sharp(blank.bytes).stats()).channels.map(({ min }) => min)]).toEqual([
      200,
      [255, 255, 255],
    ]);
  });
});

/** The mean difference between two images of one size, in levels of 256. */
async function difference(one: Uint8Array, other: Uint8Array): Promise<number> {
  const [left, right] = await Promise.all([one, other].map((bytes) => sharp(bytes).removeAlpha().raw().toBuffer()));
  if (left!.length !== right!.length) return 256;
  return left!.reduce((sum, level, index) => sum + Math.abs(level - right![index]!), 0) / left!.length;
}
