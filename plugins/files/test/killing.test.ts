import { spawn } from "node:child_process";
import { once } from "node:events";
import { hash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { comicInfoXml, seededRandom, zip } from "@longbox/test/fixtures";
import { unzipSync } from "fflate";
import { startTestHost, type TestHost } from "@longbox/sdk/testing";
import { describe, expect, it } from "vitest";
import { untilSettled } from "./support/library.js";

const rounds = process.env["LONGBOX_LONG_TESTS"] ? 30 : 3;
const random = seededRandom(9);
const comics = 60;

interface Server {
  call(method: string, path: string, body?: unknown): Promise<any>;
  kill(): Promise<void>;
}

async function startKilledServer(data: string): Promise<Server> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "support/killed-server.ts"), data], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const { url, key } = JSON.parse(line) as { url: string; key: string };
  return {
    async call(method, path, body) {
      const answer = await fetch(url + path, { method, headers: { "x-api-key": key, "content-type": "application/json" }, ...(body !== undefined && { body: JSON.stringify(body) }) });
      return answer.json();
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
    await writeFile(join(folder, `${number}.cbz`), zip(new Map([["1.jpg", page], ["ComicInfo.xml", Buffer.from(comicInfoXml({ Series: "Moth Patrol", Number: number, Volume: 2019 }))]])));
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
    for (const issue of (await host.as("admin").get(`/api/collection/${id}`)).body.issues) for (const file of issue.files) found.push([issue.number, issue.cvIssueId, file.path]);
  }
  return found.sort((one, other) => Number(one[0]) - Number(other[0]));
}

/** Kills a server while it works, then says what its successor finds. */
async function killDuring(work: (server: Server) => Promise<unknown>, longestMs: number, prepare: (server: Server) => Promise<unknown> = async () => {}): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "longbox-files-killed-"));
  const data = await mkdtemp(join(tmpdir(), "longbox-files-killed-data-"));
  try {
    await fillRoot(root);
    const pages = await pagesOnDisk(root);
    const server = await startKilledServer(data);
    const made = server.call("POST", "/api/libraries", { name: "Comics", type: "comic", rootFolder: root });
    await made;
    await prepare(server);
    const working = work(server).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, random.next() * longestMs));
    await server.kill();
    await working;
    await using host = await startTestHost({ plugins: ["collection", "files"], storage: "sqlite", dataFolder: data });
    await untilSettled(host, "");
    expect(await pagesOnDisk(root)).toEqual(pages);
    const files = await known(host);
    expect(files.map(([number]) => Number(number))).toEqual(Array.from({ length: comics }, (_, index) => index + 1));
    expect(new Set(files.map(([, id]) => id)).size).toBe(comics);
    const standing = (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    expect(files.map(([, , path]) => path).sort()).toEqual(standing.sort());
    for (const batch of (await host.as("admin").get("/api/library/moves")).body) expect(batch.state).toBe("done");
  } finally {
    await rm(root, { recursive: true, force: true });
    await rm(data, { recursive: true, force: true });
  }
}

async function scanned(server: Server): Promise<void> {
  for (;;) {
    const state = await server.call("GET", "/api/scan-folder");
    if (!state.running && state.startedAt) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function forEachSeries(server: Server, action: string): Promise<void> {
  for (const { id } of await server.call("GET", "/api/collection")) await server.call("POST", `/api/collection/${id}/${action}`, {});
}

describe(`kill -9 at ${rounds} random instants`, () => {
  it("during a scan leaves nothing half known", { timeout: 60_000 * rounds }, async () => {
    for (let round = 0; round < rounds; round++) await killDuring(async () => {}, 300);
  });

  it("while files are moved loses no file and no issue", { timeout: 60_000 * rounds }, async () => {
    for (let round = 0; round < rounds; round++) await killDuring((server) => server.call("POST", "/api/library/refile"), 200, scanned);
  });

  it("while tags are written leaves every archive whole, with its pages as they were", { timeout: 60_000 * rounds }, async () => {
    for (let round = 0; round < rounds; round++) await killDuring((server) => forEachSeries(server, "tag"), 250, scanned);
  });
});
