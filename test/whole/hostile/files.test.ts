import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeComic } from "@longbox/test/fixtures";
import { runsLongTests } from "@longbox/test/needs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer, type WholeServer } from "../support/server.ts";
import { writeHostileBooks, writePlainBooks } from "./books.ts";
import { writeHostileComics, type HostileFile } from "./library.ts";
import { firstAdmin, newViewer, personWithKey, type Person } from "./people.ts";
import { percentile, watching, type Seen } from "./watching.ts";

const bounds = { healthMs: 250, peakMegabytes: 700, keptMegabytes: 100 };

/**
 * How long `/healthz` takes for 99 of 100 times: by the clock in the long run, which is for a machine with nothing else
 * to do, and by what the main thread computes meanwhile beside other tests.
 */
const healthMs = (seen: Seen) => percentile(runsLongTests ? seen.healthMs : seen.computedMs, 0.99);

/** What a client may be told of a file that cannot be read; 503 when many ask for too much at once. */
const lawful = new Set([200, 206, 304, 400, 404, 413, 415, 422, 503]);

let folder: string;
let server: WholeServer;
let admin: Person;
let viewer: Person;
let files: readonly HostileFile[];
let megabytesBefore: number;
let scanning: Seen;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longbox-hostile-"));
  const comics = join(folder, "comics");
  await mkdir(comics);
  files = await writeHostileComics(comics);
  server = await startServer(join(folder, "data"));
  admin = await firstAdmin(server.url);
  viewer = await newViewer(server.url, admin);
  await usePlainComic();
  await usePlainBooks();
  megabytesBefore = server.holds().megabytes;
  scanning = await watching(server, () => scanned("Traps", comics));
}, 400_000);

afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Makes a library, and waits until its scan has ended: its state says how. */
async function scanned(name: string, rootFolder: string, type = "comic"): Promise<void> {
  const { startedAt: before } = await admin.json("/api/scan-folder");
  await admin.post("/api/libraries", { name, type, rootFolder });
  for (;;) {
    const { running, startedAt, message, error } = await admin.json("/api/scan-folder");
    if (!running && startedAt !== before && (message ?? error) !== undefined) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** What is loaded when it is first used, such as the library for images, stays: it counts as there before. */
async function usePlainComic(): Promise<void> {
  const plain = join(folder, "plain");
  await writeComic(join(plain, "Night Bell", "Night Bell 001.cbz"), { series: "Night Bell", number: "1", pages: 2 });
  await scanned("Plain", plain);
  const hit = await found("Night Bell");
  for (const path of readingPaths(hit!, "plain")) expect(await tried(viewer, path)).toBeUndefined();
}

/** The same of what reads books and recordings. */
async function usePlainBooks(): Promise<void> {
  const folders = await writePlainBooks(join(folder, "plain books"));
  await scanned("Plain books", folders.books, "ebook");
  await scanned("Plain recordings", folders.recordings, "audiobook");
  for (const type of ["ebook", "audiobook"] as const)
    for (const issue of await issuesOf(type))
      for (const path of shelfPaths(type, issue)) expect(await tried(viewer, path)).toBeUndefined();
}

/** Every plugin that does not run, with the reason. */
async function idlePlugins(): Promise<string[]> {
  const rows = (await admin.json("/api/plugins")) as Array<{ name: string; state: string; reason?: string }>;
  return rows.filter(({ state }) => state !== "active").map(({ name, state, reason }) => `${name} ${state} ${reason}`);
}

/** Reads an answer to its end. */
async function tried(person: Person, path: string, headers?: Record<string, string>): Promise<string | undefined> {
  const answer = await person.get(path, headers).catch((problem: unknown) => `${path} had no answer: ${problem}`);
  if (typeof answer === "string") return answer;
  const body = await answer.arrayBuffer();
  if (lawful.has(answer.status) && (answer.ok || answer.status === 304 || body.byteLength < 10_000)) return undefined;
  return `${path} answered ${answer.status} ${Buffer.from(body.slice(0, 200)).toString()}`;
}

/** Each series with how many of its issues there are. */
async function seriesNow(): Promise<Array<[title: string, owned: number]>> {
  const rows = (await admin.json("/api/collection?limit=500")) as Array<{ title: string; owned: number }>;
  return rows.map(({ title, owned }): [string, number] => [title, owned]).sort();
}

interface Found {
  readonly series: any;
  readonly issue: any;
}

async function found(series: string): Promise<Found | undefined> {
  const rows = (await viewer.json(`/api/collection?search=${encodeURIComponent(series)}`)) as any[];
  const row = rows.find(({ title }) => title === series);
  if (!row) return undefined;
  const { issues } = await viewer.json(`/api/collection/${row.id}`);
  return { series: row, issue: issues[0] };
}

interface FoundIssue {
  readonly id: number;
  readonly cvIssueId: number;
}

async function issuesOf(type: string): Promise<FoundIssue[]> {
  const rows = (await viewer.json(`/api/collection?filter=${type}&limit=500`)) as Array<{ id: number }>;
  const all = await Promise.all(rows.map(({ id }) => viewer.json(`/api/collection/${id}`)));
  return all.flatMap(({ issues }) => issues as FoundIssue[]);
}

function shelfPaths(type: "ebook" | "audiobook", { id, cvIssueId }: FoundIssue): string[] {
  const shared = [
    `/api/issue/${cvIssueId}`,
    `/api/issue/${cvIssueId}/cover?w=320`,
    `/api/opds/issue/${cvIssueId}/file`,
  ];
  const own = {
    ebook: [
      ...["file", "cover", "progress", "bookmarks"].map((part) => `/api/ebooks/issue/${cvIssueId}/${part}`),
      `/api/book-reader/issue/${cvIssueId}`,
      `/komga/api/v1/books/${id}/thumbnail`,
    ],
    audiobook: [
      ...["stream", "chapters", "cover", "progress"].map((part) => `/api/audiobooks/issue/${cvIssueId}/${part}`),
      `/api/audiobooks/info?issues=${id}`,
    ],
  };
  return [...shared, ...own[type]];
}

function readingPaths({ series, issue }: Found, root = "comics"): string[] {
  const id = issue.cvIssueId;
  return [
    `/api/collection/${series.id}/cover?w=320`,
    `/api/issue/${id}/cover`,
    `/api/issue/${id}/cover?w=480`,
    `/api/issue/${id}`,
    `/api/reader/issue/${id}`,
    `/api/reader/issue/${id}/page/0`,
    `/api/reader/issue/${id}/page/1`,
    `/api/reader/issue/${id}/page/0?w=800`,
    `/api/reader/issue/${id}/page/1?w=800&trim=1`,
    `/api/opds/issue/${id}/page/1`,
    `/api/opds/issue/${id}/page/0?width=600`,
    `/api/opds/issue/${id}/file`,
    `/api/opds/series/${series.id}`,
    `/api/opds/v2/series/${series.id}`,
    `/komga/api/v1/books/${issue.id}/thumbnail`,
    `/komga/api/v1/books/${issue.id}/pages`,
    `/api/scan-folder?path=${encodeURIComponent(join(folder, root, series.title))}`,
  ];
}

describe("a library of comics that were made to do harm", () => {
  it("is scanned to its end without holding up other requests or growing without bound", () => {
    expect(scanning.healthMs.length).toBeGreaterThan(10);
    expect(healthMs(scanning)).toBeLessThan(bounds.healthMs);
    expect(scanning.peakMegabytes).toBeLessThan(bounds.peakMegabytes);
  });

  it("shows what can be read of each file, and refuses the rest with a code, to a viewer who asks for everything", async () => {
    const wrong: string[] = [];
    const seen = await watching(server, async () => {
      for (const [place, { series, readable }] of files.entries()) {
        const hit = await found(series);
        if (!hit) {
          if (readable) wrong.push(`${series} is not in the collection`);
          continue;
        }
        // Every second address in an ordinary run, from the first or the second on in turn.
        const paths = readingPaths(hit).filter((_, at) => runsLongTests || (at + place) % 2 === 0);
        for (let at = 0; at < paths.length; at += 4)
          wrong.push(
            ...(await Promise.all(paths.slice(at, at + 4).map((path) => tried(viewer, path)))).filter(
              (it) => it !== undefined,
            ),
          );
        if (!readable) continue;
        const page = await viewer.get(`/api/reader/issue/${hit.issue.cvIssueId}/page/0?w=320`);
        await page.arrayBuffer();
        if (page.status !== 200) wrong.push(`${series}: page 0 answered ${page.status}`);
      }
    });
    expect(wrong).toEqual([]);
    expect(healthMs(seen)).toBeLessThan(bounds.healthMs);
    expect(seen.peakMegabytes).toBeLessThan(bounds.peakMegabytes);
  }, 600_000);

  it("is tagged where that is possible, and the rest is left as it is", async () => {
    const wrong: string[] = [];
    const seen = await watching(server, async () => {
      // Each is a job of its own: one in four of them, and all in the long run.
      const isTried = (at: number) => runsLongTests || at % 4 === 0;
      for (const { series } of files.filter((_, at) => isTried(at))) {
        const hit = await found(series);
        if (!hit) continue;
        const address = `${server.url}/api/collection/${hit.series.id}/tag`;
        const answer = await fetch(address, { method: "POST", headers: { "x-api-key": admin.key } });
        if (!lawful.has(answer.status)) wrong.push(`${series}: ${answer.status} ${await answer.text()}`);
        while ((await admin.json("/api/tag-files")).running) await new Promise((resolve) => setTimeout(resolve, 50));
      }
    });
    expect(wrong).toEqual([]);
    expect(healthMs(seen)).toBeLessThan(bounds.healthMs);
    expect(seen.peakMegabytes).toBeLessThan(bounds.peakMegabytes);
  }, 600_000);

  it("may hold books and recordings of the same kind", async () => {
    const folders = await writeHostileBooks(folder);
    const wrong: string[] = [];
    const seen = await watching(server, async () => {
      await scanned("Books", folders.books, "ebook");
      await scanned("Recordings", folders.recordings, "audiobook");
      for (const type of ["ebook", "audiobook"] as const) {
        const issues = await issuesOf(type);
        expect(issues.length).toBeGreaterThan(6);
        for (const paths of issues.map((issue) => shelfPaths(type, issue)))
          wrong.push(...(await Promise.all(paths.map((path) => tried(viewer, path)))).filter((it) => it !== undefined));
      }
    });
    expect(wrong).toEqual([]);
    expect(healthMs(seen)).toBeLessThan(bounds.healthMs);
    expect(seen.peakMegabytes).toBeLessThan(bounds.peakMegabytes);
  }, 300_000);

  it("leaves every plugin running", async () => {
    expect(await idlePlugins()).toEqual([]);
  });

  it("gives the memory back", async () => {
    await expect
      .poll(() => server.holds().megabytes - megabytesBefore, { timeout: 60_000, interval: 1000 })
      .toBeLessThan(bounds.keptMegabytes);
  }, 90_000);

  it("is left as it was when the server is killed in a scan and starts again", async () => {
    const before = await seriesNow();
    const { libraries } = await admin.json("/api/libraries");
    await admin.post(`/api/libraries/${libraries[0].id}/scan`, { everything: true });
    await expect.poll(async () => (await admin.json("/api/scan-folder")).running).toBe(true);
    await server.kill();
    server = await startServer(join(folder, "data"));
    [admin, viewer] = [personWithKey(server.url, admin.key), personWithKey(server.url, viewer.key)];
    expect(await idlePlugins()).toEqual([]);
    expect(await seriesNow()).toEqual(before);
    const { series, issue } = (await found("Moth Patrol"))!;
    expect(series.owned).toBe(1);
    expect(await tried(viewer, `/api/reader/issue/${issue.cvIssueId}/page/1`)).toBeUndefined();
    expect(server.log()).not.toMatch(/event loop stood still|quarantined/i);
  });
});
