import { statSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, basename, join } from "node:path";
import { Collection } from "@longbox/collection/contract";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { writeComic } from "@longbox/test/fixtures";
import { vi } from "vitest";

export interface KomgaAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any;
}

/** A server with comics and manga, and the requests that apps made for Komga send. */
export interface KomgaDesk extends AsyncDisposable {
  readonly host: KernelTestHost;
  /** As an app with an API key. */
  app(role: string): KomgaApp;
  libraryOf(name: string): Promise<number>;
  seriesOf(title: string): Promise<number>;
}

export class KomgaApp {
  constructor(
    readonly server: string,
    private readonly headers: Record<string, string>,
  ) {}

  get = (path: string, headers: Record<string, string> = {}) => this.call("GET", path, { headers });
  put = (path: string, body: unknown) => this.call("PUT", path, { body });
  patch = (path: string, body: unknown) => this.call("PATCH", path, { body });

  async call(
    method: string,
    path: string,
    { body, headers }: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<KomgaAnswer> {
    const answer = await fetch(`${this.server}/komga/api${path}`, {
      method,
      headers: {
        ...this.headers,
        ...(body !== undefined && { "content-type": "application/json; charset=utf-8" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const isJson = answer.headers.get("content-type")?.includes("json") === true;
    return {
      status: answer.status,
      headers: answer.headers,
      body: isJson ? await answer.json() : await answer.bytes(),
    };
  }
}

const userAgent = "Mihon/1.0 (Android)";

const plugins = [
  "imaging",
  "operations",
  "collection",
  "files",
  "comics",
  "reading",
  "metadata",
  "lists",
  "opds",
  "komga-api",
];

export async function openKomgaDesk(): Promise<KomgaDesk> {
  const folder = await mkdtemp(join(tmpdir(), "longbox-komga-"));
  await writeShelves(folder);
  const settings = { files: { watchFolders: false }, lists: { catalogIndexUrl: "" } };
  const host = await startKernelTestHost({ plugins, settings });
  const admin = host.as("admin");
  for (const { name, type } of [
    { name: "Comics", type: "comic" },
    { name: "Manga", type: "manga" },
  ])
    await admin.post("/api/libraries", { name, type, rootFolder: join(folder, name) });
  await vi.waitUntil(async () => (await bookCount(host)) === 8, { timeout: 60_000, interval: 50 });
  await addGenres(host, folder);
  return {
    host,
    app(role) {
      const key = host.as(role).key as string;
      return new KomgaApp(host.url, { "X-API-Key": key, "User-Agent": userAgent });
    },
    async libraryOf(name) {
      const { libraries } = (await admin.get("/api/libraries")).body;
      return libraries.find((library: { name: string }) => library.name === name).id;
    },
    async seriesOf(title) {
      return (await admin.get("/api/collection")).body.find((row: { title: string }) => row.title === title).id;
    },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function bookCount(host: KernelTestHost): Promise<number> {
  const rows = (await host.as("admin").get("/api/collection")).body as Array<{ owned: number }>;
  return rows.reduce((sum, { owned }) => sum + owned, 0);
}

/** Genres and languages come from plugins that read them; the scan of comics does not. */
async function addGenres(host: KernelTestHost, folder: string): Promise<void> {
  const { libraries } = (await host.as("admin").get("/api/libraries")).body as {
    libraries: Array<{ id: number; name: string }>;
  };
  const files = plans.map(({ library, series, publisher, genres }) => {
    const path = pathOf(folder, { library, series }, "1");
    const { Writer, Summary } = tagsOf({ series, publisher, number: "1" });
    return {
      libraryId: libraries.find(({ name }) => name === library)!.id,
      path,
      name: basename(path),
      sizeBytes: statSync(path).size,
      modifiedAt: statSync(path).mtime.toISOString(),
      format: "cbz",
      pages: 5,
      valid: true,
      tagged: true,
      series: { name: series, folder: dirname(path), year: 2019, publisher },
      issue: {
        number: "1",
        kind: "issue" as const,
        coverDate: "2019-03",
        description: Summary,
        credits: [{ name: Writer, role: "writer" }],
        subjects: genres,
        language: "en",
      },
    };
  });
  await host.use(Collection).placeFiles(files);
}

const plans = [
  {
    library: "Comics",
    series: "Moth Patrol",
    publisher: "Lamplight",
    genres: ["Adventure", "Mystery"],
    numbers: ["1", "2", "3", "Annual 1"],
  },
  {
    library: "Comics",
    series: "The Night Bell",
    publisher: "Tern, Gull & Co",
    genres: ["Mystery"],
    numbers: ["1", "2"],
  },
  { library: "Manga", series: "Paper Tigers", publisher: "Lamplight", genres: ["Drama"], numbers: ["1", "2"] },
];

const pathOf = (folder: string, { library, series }: { library: string; series: string }, number: string): string =>
  join(folder, library, `${series} (2019)`, `${series} ${number.padStart(3, "0")} (2019).cbz`);

async function writeShelves(folder: string): Promise<void> {
  for (const { library, series, publisher, numbers } of plans) {
    await mkdir(dirname(pathOf(folder, { library, series }, "1")), { recursive: true });
    for (const number of numbers)
      await writeComic(pathOf(folder, { library, series }, number), {
        series,
        number,
        pages: 5,
        tags: tagsOf({ series, publisher, number }),
      });
  }
}

function tagsOf({ series, publisher, number }: { series: string; publisher: string; number: string }) {
  return {
    Series: series,
    Number: number.replace("Annual ", ""),
    ...(number.startsWith("Annual") && { Format: "Annual" }),
    Publisher: publisher,
    Year: 2019,
    Month: 3,
    Writer: series === "Moth Patrol" ? "Ada Quill" : "Ben Oar",
    Summary: `What happens in ${series} ${number}.`,
    StoryArc: series === "Moth Patrol" ? "Low Tides" : "High Tides",
  };
}
