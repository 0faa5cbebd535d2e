import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { zip } from "@longbox/test/fixtures";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { startLibrary, type TestLibrary } from "../../files/test/support/library.js";

/** A picture of random squares: the same for the same seed. */
async function picture(seed: number, width = 400): Promise<Uint8Array> {
  let state = seed * 2_654_435_761;
  const next = () => ((state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) >>> 24) & 255;
  const squares = Buffer.from(Array.from({ length: 12 * 18 }, next));
  return sharp(squares, { raw: { width: 12, height: 18, channels: 1 } })
    .resize(width, Math.round(width * 1.5), { kernel: "nearest" })
    .jpeg({ quality: width === 400 ? 90 : 60 })
    .toBuffer();
}

/** A comic of five pages of its own and the advertisement of a scan group behind them, or before the last one. */
async function comic(seed: number, advertisement?: Uint8Array): Promise<Uint8Array> {
  const entries = new Map<string, Uint8Array>();
  for (let page = 0; page < 5; page++) entries.set(`p${page}.jpg`, await picture(seed * 100 + page));
  if (advertisement) entries.set("p3-group.jpg", advertisement);
  return zip(entries);
}

/** Three series with the same advertisement in four issues, one of them resized; another issue has none. */
async function libraryWithAdvertisements(): Promise<TestLibrary> {
  const advertisement = await picture(7);
  const resized = await picture(7, 300);
  return startLibrary({
    plugins: ["imaging", "reading", "reader"],
    async fill(root) {
      const files = [
        ["Moth Patrol", "001", await comic(1, advertisement)],
        ["Moth Patrol", "002", await comic(2, advertisement)],
        ["Night Bell", "001", await comic(3, advertisement)],
        ["Paper Wings", "001", await comic(4, resized)],
        ["Paper Wings", "002", await comic(5)],
      ] as const;
      for (const [series, number, bytes] of files) {
        await mkdir(join(root, series), { recursive: true });
        await writeFile(join(root, series, `${series} ${number}.cbz`), bytes);
      }
    },
  });
}

async function findRepeated(library: TestLibrary): Promise<void> {
  const admin = library.host.as("admin");
  const { status, body } = await admin.post("/api/tools/find-repeated-pages");
  expect(status).toBe(200);
  const state = async () => (await admin.get(`/api/jobs/${body.jobId}`)).body.state;
  await expect.poll(state, { timeout: 30_000 }).toBe("done");
}

/** The pages of each issue by its label, in the collection and in the reader. */
async function pagesByIssue(library: TestLibrary): Promise<Record<string, [number, number]>> {
  const reader = library.host.as("viewer");
  const found: Record<string, [number, number]> = {};
  for (const { id } of (await reader.get("/api/collection")).body)
    for (const issue of (await reader.get(`/api/collection/${id}`)).body.issues) {
      const opened = (await reader.get(`/api/reader/issue/${issue.cvIssueId}`)).body;
      found[issue.label.full] = [issue.files[0].pages, opened.pageCount];
    }
  return found;
}

describe("pages that repeat in many issues", () => {
  it("are shown side by side, hidden wherever issues are read, and shown again", async () => {
    await using library = await libraryWithAdvertisements();
    const admin = library.host.as("admin");
    expect((await admin.get("/api/library/repeated-pages")).body).toEqual({ pictures: [], total: 0 });
    await findRepeated(library);
    const { pictures, total } = (await admin.get("/api/library/repeated-pages")).body;
    expect(total).toBe(1);
    const [{ hash, issues, places }] = pictures;
    expect(issues).toBe(4);
    expect(places.map(({ page }: { page: number }) => page)).toEqual([3, 3, 3, 3]);
    const image = await admin.get(places[0].image);
    expect(image.status).toBe(200);

    const hidden = await admin.post(`/api/library/repeated-pages/${hash}`, { state: "hidden" });
    expect(hidden.body).toEqual({ hash, state: "hidden", hiddenPages: 4 });
    expect(await pagesByIssue(library)).toEqual({
      "Moth Patrol #1": [5, 5],
      "Moth Patrol #2": [5, 5],
      "Night Bell #1": [5, 5],
      "Paper Wings #1": [5, 5],
      "Paper Wings #2": [5, 5],
    });
    const [series] = (await admin.get("/api/collection?search=night")).body;
    const { issues: nights } = (await admin.get(`/api/collection/${series.id}`)).body;
    const page = await admin.get(`/api/reader/issue/${nights[0].cvIssueId}/page/3`);
    expect(Buffer.from(page.bytes).equals(Buffer.from(await picture(303)))).toBe(true);
    expect((await admin.get("/api/library/repeated-pages")).body.total).toBe(0);
    const shown = (await admin.get("/api/library/repeated-pages?state=hidden")).body.pictures;
    expect(shown).toMatchObject([{ hash, state: "hidden", issues: 4 }]);

    await rename(join(library.root, "Paper Wings", "Paper Wings 001.cbz"), join(library.root, "Paper Wings", "1.cbz"));
    await writeFile(join(library.root, "Night Bell", "Night Bell 002.cbz"), await comic(6, await picture(7)));
    await library.scan();
    await findRepeated(library);
    expect(await pagesByIssue(library)).toMatchObject({ "Night Bell #2": [5, 5], "Paper Wings #1": [5, 5] });

    expect((await admin.post(`/api/library/repeated-pages/${hash}`, { state: "open" })).body.hiddenPages).toBe(0);
    expect(await pagesByIssue(library)).toMatchObject({ "Night Bell #1": [6, 6], "Paper Wings #1": [6, 6] });
  });
});
