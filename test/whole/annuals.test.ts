import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestHost, type TestClient } from "@longbox/sdk/testing";
import { writeComic } from "@longbox/test/fixtures";
import { expect, it } from "vitest";
import { Provider, type VolumeSpec } from "../../plugins/metadata/test/support/provider.js";

interface Stage extends AsyncDisposable {
  readonly admin: TestClient;
  readonly root: string;
  scan(): Promise<void>;
  series(): Promise<Array<{ id: number; title: string; cvId: number | null; owned: number }>>;
  /** Moves the files of every series to where its pattern has them. */
  refileAll(): Promise<void>;
}

const volume = (id: number, name: string, { year, count }: { year: number; count: number }): VolumeSpec => ({
  ...{ id, name, start_year: String(year), publisher: "Lamplight" },
  issues: Array.from({ length: count }, (_, at) => ({
    id: id * 1000 + at + 1,
    issue_number: String(at + 1),
    // Annuals come once a year, the others each month.
    cover_date: / Annual$/.test(name) ? `${year + at}-06-01` : `${year}-${String(at + 1).padStart(2, "0")}-01`,
  })),
});

/** A library of files with names and no tags, before a provider with these volumes. */
async function stage(paths: readonly string[], volumes: readonly VolumeSpec[]): Promise<Stage> {
  const provider = await Provider.start();
  provider.add(...volumes);
  const root = await mkdtemp(join(tmpdir(), "longbox-annuals-"));
  for (const path of paths) await writeComic(join(root, `${path}.cbz`), { series: path, number: "1", pages: 1 });
  const host = await startTestHost({
    plugins: ["operations", "imaging", "collection", "metadata", "files", "comics"],
    settings: { metadata: provider.settings, files: { watchFolders: false } },
  });
  const admin = host.as("admin");
  const { body: library } = await admin.post("/api/libraries", { name: "Comics", type: "comic", rootFolder: root });
  const settled = async (before?: string) =>
    await expect
      .poll(async () => (await admin.get("/api/scan-folder")).body, { timeout: 60_000, interval: 50 })
      .toSatisfy((state) => !state.running && state.startedAt !== undefined && state.startedAt !== before);
  await settled();
  const series = async () => (await admin.get("/api/collection")).body;
  return {
    ...{ admin, root, series },
    async scan() {
      const before = (await admin.get("/api/scan-folder")).body.startedAt;
      await admin.post(`/api/libraries/${library.id}/scan`, {});
      await settled(before);
    },
    async refileAll() {
      for (const { id } of await series())
        expect(await admin.post(`/api/collection/${id}/refile`, {})).toMatchObject({ status: 200 });
    },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}

async function filesIn(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1)).sort();
}

const folder = "Harbour Ghost (1940)";
const paths = [
  "Harbour Ghost 001 (1940)",
  "Harbour Ghost 002 (1940)",
  "Harbour Ghost Annual 007 (1961)",
  "Harbour Ghost Annual 008 (1962)",
].map((name) => `${folder}/${name}`);
const parent = volume(5001, "Harbour Ghost", { year: 1940, count: 9 });
const annuals = volume(5002, "Harbour Ghost Annual", { year: 1955, count: 9 });
const laterAnnuals = volume(5003, "Harbour Ghost Annual", { year: 2012, count: 9 });
const refiled = [
  `${folder}/Harbour Ghost 001 (1940).cbz`,
  `${folder}/Harbour Ghost 002 (1940).cbz`,
  "Harbour Ghost Annual (1955)/Harbour Ghost Annual 007 (1955).cbz",
  "Harbour Ghost Annual (1955)/Harbour Ghost Annual 008 (1955).cbz",
];

const rowsOf = async (on: Stage) =>
  (await on.series())
    .toSorted((one, other) => Number(one.cvId) - Number(other.cvId))
    .map(({ title, cvId, owned }) => [title, cvId, owned]);
const separated = [
  ["Harbour Ghost", 5001, 2],
  ["Harbour Ghost Annual", 5002, 2],
];

it("annuals beside the issues of a series go to their own volume, and are named once", async () => {
  await using on = await stage(paths, [parent, annuals, laterAnnuals]);
  const [series] = await on.series();
  expect((await on.admin.post("/api/cv/match", { seriesId: series!.id })).body).toMatchObject({ cvId: 5001 });
  expect(await rowsOf(on)).toEqual(separated);
  await on.refileAll();
  expect(await filesIn(on.root)).toEqual(refiled);
  await writeComic(join(on.root, folder, "Harbour Ghost Annual 009 (1963).cbz"), {
    ...{ series: "-", number: "1", pages: 1 },
  });
  await on.scan();
  expect(await rowsOf(on)).toEqual([separated[0], ["Harbour Ghost Annual", 5002, 3]]);
  await on.refileAll();
  expect(await filesIn(on.root)).toEqual([
    ...refiled,
    "Harbour Ghost Annual (1955)/Harbour Ghost Annual 009 (1955).cbz",
  ]);
});

it("a sync finds the volumes of annuals by itself, and leaves those that nothing tells apart", async () => {
  const unsure = ["Tin Choir (1990)/Tin Choir 001 (1990)", "Tin Choir (1990)/Tin Choir Annual 001"];
  const same = [5012, 5013].map((id) => volume(id, "Tin Choir Annual", { year: 1991, count: 3 }));
  const volumes = [parent, annuals, laterAnnuals, volume(5011, "Tin Choir", { year: 1990, count: 9 }), ...same];
  await using on = await stage([...paths, ...unsure], volumes);
  expect((await on.admin.post("/api/cv/match", {})).body).toMatchObject({ started: true });
  const all = [...separated, ["Tin Choir", 5011, 2]];
  await expect.poll(() => rowsOf(on), { timeout: 60_000, interval: 50 }).toEqual(all);
  await expect
    .poll(async () => (await on.admin.get("/api/cv")).body, { timeout: 60_000 })
    .toMatchObject({
      running: false,
    });
  expect(await rowsOf(on)).toEqual(all);
});
