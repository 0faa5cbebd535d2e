import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { TestLibrary } from "../../files/test/support/library.js";
import { comic, libraryWithAdvertisements, picture } from "./support/advertisements.js";

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
