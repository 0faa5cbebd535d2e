import { spawn } from "node:child_process";
import { once } from "node:events";
import { hash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { comicInfoXml, zip } from "@longbox/test/fixtures";
import { Aim, chooseSeed, type Landing } from "@longbox/test/killing";
import { runsLongTests } from "@longbox/test/needs";
import { unzipSync } from "fflate";
import { startTestHost, type TestHost } from "@longbox/sdk/testing";
import { describe, expect, it } from "vitest";
import { untilSettled } from "./support/library.js";

/** So many kills have to land in the middle of each kind of work; at most eight times as many are tried. */
const hits = runsLongTests ? 30 : 1;
/** On a busy machine, kills miss more often. */
const tries = hits * 8 + 16;
const seed = chooseSeed();
const comics = 60;

interface Server {
  /** @throws when the answer is an error */
  call(method: string, path: string, body?: unknown): Promise<any>;
  kill(): Promise<void>;
}

async function startKilledServer(data: string): Promise<Server> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "support/killed-server.ts"), data], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const { url, key } = JSON.parse(line) as { url: string; key: string };
  return {
    async call(method, path, body) {
      const answer = await fetch(url + path, {
        method,
        headers: { "x-api-key": key, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
      return text === "" ? undefined : JSON.parse(text);
    },
    async kill() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function fillRoot(root: string): Promise<void> {
  for (let number = 1; number <= comics; number++) {
    const folder = join(root, `messy ${number % 4}`);
    await mkdir(folder, { recursive: true });
    const page = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from(`page of ${number} `.repeat(4000))]);
    await writeFile(
      join(folder, `${number}.cbz`),
      zip(
        new Map([
          ["1.jpg", page],
          ["ComicInfo.xml", Buffer.from(comicInfoXml({ Series: "Moth Patrol", Number: number, Volume: 2019 }))],
        ]),
      ),
    );
  }
}

/** What the archives on disk hold: the hash of each one's page. Throws where an archive is damaged. */
async function pagesOnDisk(root: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    expect(entry.name).toMatch(/\.cbz$/);
    found.push(hash("sha256", unzipSync(await readFile(join(entry.parentPath, entry.name)))["1.jpg"]!));
  }
  return found.sort();
}

async function known(host: TestHost): Promise<Array<[number: string, id: number, path: string]>> {
  const found: Array<[string, number, string]> = [];
  for (const { id } of (await host.as("admin").get("/api/collection")).body) {
    for (const issue of (await host.as("admin").get(`/api/collection/${id}`)).body.issues)
      for (const file of issue.files) found.push([issue.number, issue.cvIssueId, file.path]);
  }
  return found.sort((one, other) => Number(one[0]) - Number(other[0]));
}

/** A kind of work that is interrupted. */
interface Work {
  readonly name: string;
  /** Changes every file of the library, or none. */
  readonly changes: "all" | "none";
  prepare(server: Server, root: string): Promise<unknown>;
  run(server: Server): Promise<unknown>;
}

interface ScanState {
  readonly running: boolean;
  readonly startedAt?: string;
}

interface Folders {
  readonly root: string;
  readonly data: string;
}

async function withFolders<Result>(use: (folders: Folders) => Promise<Result>): Promise<Result> {
  const root = await mkdtemp(join(tmpdir(), "longbox-files-killed-"));
  const data = await mkdtemp(join(tmpdir(), "longbox-files-killed-data-"));
  try {
    await fillRoot(root);
    return await use({ root, data });
  } finally {
    await rm(root, { recursive: true, force: true });
    await rm(data, { recursive: true, force: true });
  }
}

/** Lets a server do all of its work, notes how long that takes, and that there was something to do for every file. */
async function measure(work: Work, aim: Aim): Promise<void> {
  await withFolders(async ({ root, data }) => {
    const server = await startKilledServer(data);
    await work.prepare(server, root);
    const before = await filesOnDisk(root);
    const running = work.run(server);
    await begun(work, server, before);
    await aim.measure(work.name, () => running);
    await server.kill();
    expect(await untouchedOf(before)).toBe(work.changes === "all" ? 0 : comics);
  });
}

/** Kills a server while it works, then says what its successor finds. */
async function killDuring(work: Work, aim: Aim): Promise<void> {
  await withFolders(async ({ root, data }) => {
    const pages = await pagesOnDisk(root);
    const server = await startKilledServer(data);
    await work.prepare(server, root);
    const before = await filesOnDisk(root);
    let end: "done" | "killed" | undefined;
    const working = work.run(server).then(
      () => (end ??= "done"),
      (fault: unknown) => {
        if (end !== "killed") throw fault;
      },
    );
    await Promise.race([begun(work, server, before), working]);
    await new Promise((resolve) => setTimeout(resolve, aim.instantMs(work.name)));
    const isMiddle = end === undefined;
    end = "killed";
    await server.kill();
    await working;
    const untouched = await untouchedOf(before);
    aim.note(work.name, !isMiddle ? "late" : landing(work, untouched));
    await expectWhole({ root, data }, pages);
  });
}

function landing({ changes }: Work, untouched: number): Landing {
  if (changes === "none" || (untouched > 0 && untouched < comics)) return "middle";
  return untouched === comics ? "early" : "late";
}

/** Waits until a scan runs, or the first file is no longer where or what it was. */
async function begun(work: Work, server: Server, before: ReadonlyMap<string, FileTrace>): Promise<void> {
  const hasBegun = async () =>
    work.changes === "none"
      ? ((await server.call("GET", "/api/scan-folder")) as ScanState).startedAt !== undefined
      : (await untouchedOf(before)) < before.size;
  while (!(await hasBegun()));
}

async function expectWhole({ root, data }: Folders, pages: readonly string[]): Promise<void> {
  await using host = await startTestHost({
    plugins: ["operations", "collection", "files", "comics"],
    storage: "sqlite",
    dataFolder: data,
  });
  await untilSettled(host, "");
  expect(await pagesOnDisk(root)).toEqual(pages);
  const files = await known(host);
  expect(files.map(([number]) => Number(number))).toEqual(Array.from({ length: comics }, (_, index) => index + 1));
  expect(new Set(files.map(([, id]) => id)).size).toBe(comics);
  // The job goes on meanwhile, and writes beside the files.
  const paths = files.map(([, , path]) => path).sort();
  await expect.poll(async () => [...(await filesOnDisk(root)).keys()].sort(), { timeout: 30_000 }).toEqual(paths);
  const { status, body: batches } = await host.as("admin").get("/api/library/moves");
  expect(status).toBe(200);
  expect(batches.filter((batch: { state: string }) => batch.state !== "done")).toEqual([]);
}

interface FileTrace {
  readonly sizeBytes: number;
  readonly changedAtMs: number;
}

async function filesOnDisk(root: string): Promise<Map<string, FileTrace>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(await Promise.all(paths.map(async (path) => [path, await traceOf(path)] as const)));
}

async function traceOf(path: string): Promise<FileTrace> {
  const { size, mtimeMs } = await stat(path);
  return { sizeBytes: size, changedAtMs: mtimeMs };
}

/** How many files are where they were, and were not written to. */
async function untouchedOf(before: ReadonlyMap<string, FileTrace>): Promise<number> {
  const untouched = await Promise.all(
    [...before].map(async ([path, trace]) => {
      const now = await traceOf(path).catch(() => undefined);
      return now?.sizeBytes === trace.sizeBytes && now.changedAtMs === trace.changedAtMs;
    }),
  );
  return untouched.filter(Boolean).length;
}

const makeLibrary = (server: Server, root: string) =>
  server.call("POST", "/api/libraries", { name: "Comics", type: "comic", rootFolder: root });

async function scanned(server: Server, root: string): Promise<void> {
  await makeLibrary(server, root);
  await untilScanned(server);
}

const untilScanned = (server: Server) => untilIdle(server, "/api/scan-folder");

/** Waits until work that goes on in the background has begun after `startedBefore` and runs no more. */
async function untilIdle(server: Server, path: string, startedBefore?: string): Promise<void> {
  for (;;) {
    const state: ScanState = await server.call("GET", path);
    if (!state.running && state.startedAt !== startedBefore) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Tags one series after the other: the server refuses a second while it writes the tags of a first. */
async function tagEachSeries(server: Server): Promise<void> {
  for (const { id } of await server.call("GET", "/api/collection")) {
    const before: ScanState = await server.call("GET", "/api/tag-files");
    await server.call("POST", `/api/collection/${id}/tag`, {});
    await untilIdle(server, "/api/tag-files", before.startedAt);
  }
}

const works: readonly Work[] = [
  { name: "scan", changes: "none", prepare: makeLibrary, run: untilScanned },
  {
    name: "move files",
    changes: "all",
    prepare: scanned,
    async run(server) {
      await server.call("POST", "/api/library/refile");
      await untilIdle(server, "/api/library/refile-status");
    },
  },
  { name: "write tags", changes: "all", prepare: scanned, run: tagEachSeries },
];

describe("kill -9 in the middle of the work", () => {
  it.each(works)(
    "to $name loses no file, no issue and no page, and leaves every archive whole",
    { timeout: 60_000 * hits * 8, meta: { seed } },
    async (work) => {
      const aim = new Aim(seed);
      await measure(work, aim);
      for (let attempt = 0; attempt < tries && !aim.hasHit([work.name], hits); attempt += 1)
        await killDuring(work, aim);
      expect(aim.hasHit([work.name], hits), JSON.stringify([...aim.landed])).toBe(true);
    },
  );
});
