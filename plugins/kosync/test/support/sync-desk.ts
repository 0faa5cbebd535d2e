import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { Reading, type ReadingContract } from "@longbox/reading/contract";
import type { Viewer } from "@longbox/sdk";
import { writeComic, writeLibrary } from "@longbox/test/fixtures";
import { EReader, partialMd5 } from "./e-reader.js";

const textBooks = join(import.meta.dirname, "../../../../examples/text-books");

/** A server with a comic of eight pages, two comics with one file name, and a book. */
export interface SyncDesk extends AsyncDisposable {
  readonly host: KernelTestHost;
  readonly reading: ReadingContract;
  readonly folder: string;
  readonly comic: string;
  readonly book: string;
  addLibrary(name: string, type: string, rootFolder: string): Promise<void>;
  /** Scans the comics again. */
  scan(): Promise<void>;
  /** An e-reader of a user, with a new password. */
  reader(role: string, device?: EReader["device"]): Promise<EReader>;
  viewer(role: string): Promise<Viewer>;
  /** The internal id of the only issue of a series. */
  issueOf(title: string): Promise<number>;
  /** The documents' ids of the comic and of the book. */
  readonly documents: { readonly comic: string; readonly book: string };
}

export async function openSyncDesk(plugins: readonly string[] = []): Promise<SyncDesk> {
  const folder = await mkdtemp(join(tmpdir(), "longbox-kosync-"));
  const files = await writeFiles(folder);
  const host = await startKernelTestHost({
    plugins: ["imaging", "operations", "collection", "files", "comics", "reading", "kosync", textBooks, ...plugins],
    settings: { files: { watchFolders: false } },
  });
  const desk = {
    host,
    reading: host.use(Reading),
    folder,
    ...files,
    documents: { comic: await partialMd5(files.comic), book: await partialMd5(files.book) },
    addLibrary: (name: string, type: string, rootFolder: string) =>
      scanned(host, () => host.as("admin").post("/api/libraries", { name, type, rootFolder })),
    scan: () => scanned(host, () => scanLibrary(host, "Comics")),
    reader: (role: string, device?: EReader["device"]) => readerOf(host, role, device),
    viewer: (role: string) => viewerOf(host, role),
    issueOf: (title: string) => issueOf(host, title),
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
  await desk.addLibrary("Comics", "comic", join(folder, "comics"));
  await desk.addLibrary("Texts", "text", join(folder, "texts"));
  return desk;
}

async function writeFiles(folder: string): Promise<{ comic: string; book: string }> {
  const comics = join(folder, "comics");
  const plans = [{ title: "Moth Patrol", year: 2019, issues: ["1"], pages: 8 }];
  const [comic = ""] = await writeLibrary(comics, plans);
  for (const series of ["Night Bell", "Paper Tigers"]) {
    await mkdir(join(comics, series), { recursive: true });
    await writeComic(join(comics, series, "001.cbz"), { series, number: "1", pages: 4 });
  }
  const texts = join(folder, "texts");
  await mkdir(texts);
  const book = join(texts, "The Salt Road.txt");
  await writeFile(book, "Title: The Salt Road\n\nThe tide came in.\n".repeat(500));
  return { comic, book };
}

async function scanned(host: KernelTestHost, begin: () => Promise<unknown>): Promise<void> {
  const admin = host.as("admin");
  const { startedAt } = (await admin.get("/api/scan-folder")).body;
  await begin();
  for (const deadline = Date.now() + 60_000; Date.now() < deadline;) {
    const { running, startedAt: begun } = (await admin.get("/api/scan-folder")).body;
    if (!running && begun !== undefined && begun !== startedAt) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("The scan did not end in a minute.");
}

async function scanLibrary(host: KernelTestHost, name: string): Promise<void> {
  const admin = host.as("admin");
  const { libraries } = (await admin.get("/api/libraries")).body as { libraries: Array<{ id: number; name: string }> };
  await admin.post(`/api/libraries/${libraries.find((library) => library.name === name)!.id}/scan`);
}

async function readerOf(host: KernelTestHost, role: string, device?: EReader["device"]): Promise<EReader> {
  const made = await host.as(role).post("/api/kosync/password");
  return new EReader(host.url, made.body, device);
}

async function viewerOf(host: KernelTestHost, role: string): Promise<Viewer> {
  const { user } = (await host.as(role).get("/api/auth/me")).body;
  return { user, may: () => true, seesRestricted: true };
}

async function issueOf(host: KernelTestHost, title: string): Promise<number> {
  const admin = host.as("admin");
  const series = (await admin.get("/api/collection")).body as Array<{ id: number; title: string }>;
  const { issues } = (await admin.get(`/api/collection/${series.find((row) => row.title === title)!.id}`)).body;
  return issues[0].id;
}
