import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { writeComic } from "@longbox/test/fixtures";
import { expect, it } from "vitest";
import { startLibrary, type TestLibrary } from "../support/library.js";

const paths = ["Moth Patrol/Moth Patrol 001", "Moth Patrol/Moth Patrol 002", "Moth-Patrol/Moth-Patrol 003"];

async function filesIn(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1)).sort();
}

async function refileAll({ host }: TestLibrary): Promise<void> {
  const admin = host.as("admin");
  for (const { id } of (await admin.get("/api/collection")).body)
    expect(await admin.post(`/api/collection/${id}/refile`, {})).toMatchObject({ status: 200 });
}

/** Each series with its issues, by number. */
async function seriesOf({ host }: TestLibrary): Promise<unknown[]> {
  const admin = host.as("admin");
  const rows: Array<{ id: number; title: string }> = (await admin.get("/api/collection")).body;
  const found = rows.map(async ({ id, title }) => {
    const { issues } = (await admin.get(`/api/collection/${id}`)).body;
    return [title, ...issues.map(({ number }: { number: string }) => number)];
  });
  return (await Promise.all(found)).toSorted((one, other) => one.length - other.length);
}

it("refiling follows series that were joined and parted, and a scan keeps what it did", async () => {
  await using library = await startLibrary({
    async fill(root) {
      for (const path of paths) await writeComic(join(root, `${path}.cbz`), { series: path, number: "1", pages: 1 });
    },
  });
  const admin = library.host.as("admin");
  const { offers } = (await admin.get("/api/library/split-series")).body;
  expect(offers).toHaveLength(1);
  const pair = { from: offers[0].from.id, to: offers[0].to.id };
  const { id } = (await admin.post("/api/library/split-series/join", pair)).body;
  await refileAll(library);
  const joined = ["001", "002", "003"].map((number) => `Moth Patrol/Moth Patrol ${number}.cbz`);
  expect(await filesIn(library.root)).toEqual(joined);
  await library.scan({ everything: true });
  expect(await seriesOf(library)).toEqual([["Moth Patrol", "1", "2", "3"]]);

  expect(await admin.post(`/api/library/split-series/joined/${id}/undo`, {})).toMatchObject({ status: 200 });
  await refileAll(library);
  expect(await filesIn(library.root)).toEqual([...joined.slice(0, 2), "Moth-Patrol/Moth-Patrol 003.cbz"].sort());
  await library.scan({ everything: true });
  expect(await seriesOf(library)).toEqual([
    ["Moth-Patrol", "3"],
    ["Moth Patrol", "1", "2"],
  ]);
  expect((await library.files()).map(({ number }) => number).sort()).toEqual(["1", "2", "3"]);
});
