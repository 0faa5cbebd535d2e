import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Collection, type CollectionContract, type IssueKind, type ReadFile } from "@longbox/collection/contract";
import { startTestHost, type TestHost, type TestHostOptions } from "@longbox/sdk/testing";

export interface FileSpec {
  readonly series?: string;
  readonly number?: string;
  readonly kind?: IssueKind;
  readonly year?: number;
  readonly folder?: string;
  readonly path?: string;
  readonly change?: Partial<ReadFile>;
  readonly ofSeries?: Partial<ReadFile["series"]>;
  readonly ofIssue?: Partial<ReadFile["issue"]>;
}

/** A server with one library on a real folder, and a way to say which files are in it. */
export interface Shelf extends AsyncDisposable {
  readonly host: TestHost;
  readonly library: CollectionContract;
  readonly root: string;
  readonly libraryId: number;
  file(spec: FileSpec): ReadFile;
  place(...specs: FileSpec[]): Promise<Array<{ path: string; seriesId: number; issueId: number }>>;
}

export async function openShelf(options: TestHostOptions = {}): Promise<Shelf> {
  const root = await mkdtemp(join(tmpdir(), "longbox-collection-"));
  const host = await startTestHost({ ...options, plugins: ["collection", ...(options.plugins ?? [])] });
  const rootFolder = join(root, "comics");
  await mkdir(rootFolder);
  const made = await host.as("admin").post("/api/libraries", { name: "Comics", type: "comic", rootFolder });
  const library = host.use(Collection);
  const file = (spec: FileSpec) => describeFile(rootFolder, made.body.id, spec);
  return {
    host,
    library,
    root,
    libraryId: made.body.id,
    file,
    place: async (...specs) => [...(await library.placeFiles(specs.map(file)))],
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}

function describeFile(root: string, libraryId: number, spec: FileSpec): ReadFile {
  const series = spec.series ?? "Moth Patrol";
  const number = spec.number ?? "1";
  const folder = spec.folder ?? join(root, series);
  const name = `${series} ${spec.kind === "annual" ? "Annual " : ""}${number}.cbz`;
  const path = spec.path ?? join(folder, name);
  return {
    libraryId,
    path,
    name,
    sizeBytes: 1000,
    modifiedAt: "2026-01-01T00:00:00.000Z",
    pages: 22,
    valid: true,
    tagged: false,
    series: { name: series, folder, year: spec.year ?? 2019, publisher: "Lamplight", ...spec.ofSeries },
    issue: { number, kind: spec.kind ?? "issue", ...spec.ofIssue },
    ...spec.change,
  };
}
