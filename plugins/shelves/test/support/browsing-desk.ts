import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Collection, type ReadFile } from "@longbox/collection/contract";
import { startTestHost, type TestHost, type TestHostOptions } from "@longbox/sdk/testing";

/** A file as a scan would find it, and what its tags say. */
export interface FileSpec {
  readonly series: string;
  readonly number?: string;
  readonly publisher?: string;
  readonly year?: number;
  readonly library?: number;
  readonly pages?: number;
  readonly format?: string;
  readonly issue?: Partial<ReadFile["issue"]>;
}

export interface BrowsingDesk extends AsyncDisposable {
  readonly host: TestHost;
  readonly root: string;
  readonly libraryId: number;
  place(...specs: FileSpec[]): Promise<ReadonlyArray<{ seriesId: number; issueId: number }>>;
  /** Waits until the index has all that was placed, and nothing is being built. */
  built(): Promise<void>;
  /** The short labels and series of a selection, as `Moth Patrol #1`. */
  titles(role: string, query?: string): Promise<string[]>;
  /** The counts of one facet by label. */
  counts(role: string, facet: string, query?: string): Promise<Record<string, number>>;
  restrict(seriesId: number, restricted?: boolean): Promise<void>;
}

/** A server with a library, and files in it that are only told of. */
export async function openBrowsingDesk(options: TestHostOptions = {}): Promise<BrowsingDesk> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "longbox-shelves-")));
  const { plugins = [], ...rest } = options;
  const host = await startTestHost({
    ...rest,
    plugins: ["operations", "collection", "reading", "shelves", ...plugins],
  });
  const libraryId = await addLibrary(host, root, "Comics");
  const client = (role: string) => host.as(role);
  const placed = new Set<number>();
  return {
    host,
    root,
    libraryId,
    async place(...specs) {
      const files = await host.use(Collection).placeFiles(specs.map((spec) => toFile(spec, root, libraryId)));
      for (const { issueId } of files) placed.add(issueId);
      return files;
    },
    built: () => untilBuilt(host, placed.size),
    titles: async (role, query = "") =>
      (await client(role).get(`/api/shelves/items${query}`)).body.items.map(
        (item: { label: { full: string } }) => item.label.full,
      ),
    counts: async (role, facet, query = "") =>
      Object.fromEntries(
        (await client(role).get(`/api/shelves/facets${query}`)).body[facet].map(
          ({ label, count }: { label: string; count: number }) => [label, count],
        ),
      ),
    async restrict(seriesId, restricted = true) {
      const { status } = await client("admin").post(`/api/collection/${seriesId}/restricted`, { restricted });
      if (status !== 200) throw new Error(`The series could not be restricted: ${status}`);
    },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** @param size - how many issues the index has to have at least */
function untilBuilt(host: TestHost, size: number): Promise<void> {
  return until(async () => {
    const { body } = await host.as("admin").get("/api/shelves/status");
    return body.ready && !body.building && body.size >= size;
  });
}

async function addLibrary(host: TestHost, root: string, name: string): Promise<number> {
  const rootFolder = join(root, name);
  await mkdir(rootFolder, { recursive: true });
  const known = (await host.as("admin").get("/api/libraries")).body.libraries as Array<{ id: number; name: string }>;
  const kept = known.find((library) => library.name === name);
  if (kept) return kept.id;
  return (await host.as("admin").post("/api/libraries", { name, type: "comic", rootFolder })).body.id;
}

function toFile(spec: FileSpec, root: string, libraryId: number): ReadFile {
  const { series, number = "1", publisher, year = 2019, format = "cbz" } = spec;
  const folder = join(root, `${spec.library ?? libraryId}`, series);
  const name = `${series} ${number}.${format}`;
  return {
    libraryId: spec.library ?? libraryId,
    path: join(folder, name),
    name,
    sizeBytes: 1000,
    modifiedAt: "2026-01-01T00:00:00.000Z",
    pages: spec.pages ?? 22,
    format,
    valid: true,
    tagged: true,
    series: { name: series, folder, year, ...(publisher !== undefined && { publisher }) },
    issue: { number, kind: "issue", ...spec.issue },
  };
}

/** A small library: four series by three writers, with arcs, teams and languages. */
export const standardFiles: readonly FileSpec[] = [
  ...["1", "2", "10"].map((number) => ({
    series: "Moth Patrol",
    number,
    publisher: "Lamplight",
    year: 1994,
    issue: {
      coverDate: `1994-0${number.length}-01`,
      credits: [
        { name: "Ada Quill", role: "Writer" },
        { name: "Ben Ink", role: "Penciller, Cover" },
      ],
      characters: ["Night Moth", "Sergeant Lamp"],
      teams: ["The Patrol"],
      arcs: number === "1" ? ["First Light"] : [],
      subjects: ["Mystery"],
      language: "en",
    },
  })),
  {
    series: "Salt Road",
    publisher: "Grim Press",
    year: 2003,
    pages: 160,
    issue: {
      credits: [
        { name: "Ada Quill", role: "writer" },
        { name: "Cal Brush", role: "artist" },
      ],
      characters: ["Night Moth"],
      subjects: ["Adventure", "Mystery"],
      language: "de",
      ageRating: "Teen",
    },
  },
  {
    series: "Low Tides",
    publisher: "Grim Press",
    year: 2004,
    issue: { credits: [{ name: "Éva Wave", role: "Writer" }], subjects: ["Adventure"], language: "en" },
  },
  { series: "Nameless", year: 2021, issue: {} },
];

/** Waits until something holds; a busy machine is given its time. */
export async function until(holds: () => Promise<boolean> | boolean, limitMs = 60_000): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`It did not come to pass in ${limitMs} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
