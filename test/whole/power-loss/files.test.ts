import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { seededRandom } from "@longbox/test/fixtures";
import { chooseSeed } from "@longbox/test/killing";
import { runsLongTests } from "@longbox/test/needs";
import { startTestHost } from "@longbox/sdk/testing";
import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { countChanges, Replay } from "./replaying.ts";
import { readTrace, traceProgram } from "./tracing.ts";

const [comics, rounds] = runsLongTests ? [20, 12] : [8, 3];
/** After so many cuts the disk is looked at, and after some of them a server is started on it. */
const [cuts, restarts] = runsLongTests ? [200, 40] : [20, 2];
const seed = chooseSeed();
const child = fileURLToPath(new URL("./files-child.mjs", import.meta.url));

interface FoundComic {
  readonly number: number;
  /** The round whose names it has; 0 before the first. */
  readonly movedIn: number;
  /** The round whose tags it has; 0 before the first. */
  readonly taggedIn: number;
}

/** Every comic on the disk. Throws where one is not whole. */
async function comicsIn(library: string): Promise<FoundComic[]> {
  const found: FoundComic[] = [];
  for (const entry of await readdir(library, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".cbz")) continue;
    const files = unzipSync(await readFile(join(entry.parentPath, entry.name)));
    const textOf = (name: string) => Buffer.from(files[name]!).toString("latin1");
    const roundIn = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0);
    found.push({
      number: Number(/page of (\d+) /.exec(textOf("1.jpg"))![1]),
      movedIn: roundIn(entry.name, / of (\d+)\.cbz$/),
      taggedIn: roundIn(textOf("ComicInfo.xml"), /round (\d+)\./),
    });
  }
  return found;
}

function acknowledged(said: readonly string[], kind: "moved" | "tagged"): number {
  return Math.max(0, ...said.filter((line) => line.startsWith(kind)).map((line) => Number(line.split(" ")[1])));
}

/** Every comic is there at least once, at a place and with tags that are not older than what was acknowledged. */
async function expectKept(at: number, folder: string, said: readonly string[]): Promise<void> {
  const found = await comicsIn(join(folder, "library"));
  for (let number = 1; number <= comics; number += 1) {
    const copies = found.filter((comic) => comic.number === number);
    const newest = (of: "movedIn" | "taggedIn") => Math.max(-1, ...copies.map((copy) => copy[of]));
    const kept = { at, number, movedIn: newest("movedIn"), taggedIn: newest("taggedIn") };
    expect(kept.movedIn, JSON.stringify(kept)).toBeGreaterThanOrEqual(acknowledged(said, "moved"));
    expect(kept.taggedIn, JSON.stringify(kept)).toBeGreaterThanOrEqual(acknowledged(said, "tagged"));
  }
}

/** A server that starts on the disk puts in order what was cut off, and knows every comic where it is. */
async function expectRecovered(at: number, folder: string): Promise<void> {
  await using host = await startTestHost({
    plugins: ["operations", "collection", "files", "comics"],
    storage: "sqlite",
    dataFolder: join(folder, "data"),
    settings: { files: { watchFolders: false } },
  });
  const admin = host.as("admin");
  // What was cut off goes on as a job; until it has ended, a file may stand at both of its names.
  const states = async () => (await admin.get("/api/jobs")).body.map(({ state }: { state: string }) => state);
  const unfinished = async () => (await states()).filter((state: string) => state === "queued" || state === "running");
  await expect.poll(unfinished, { timeout: 60_000 }).toEqual([]);
  const [library] = (await admin.get("/api/libraries")).body.libraries;
  await expect.poll(async () => (await admin.get("/api/scan-folder")).body.running, { timeout: 30_000 }).toBe(false);
  await admin.post(`/api/libraries/${library.id}/scan`, { everything: true });
  await expect.poll(async () => (await admin.get("/api/scan-folder")).body.running, { timeout: 30_000 }).toBe(false);
  const known = (await admin.get("/api/collection")).body;
  expect([at, known.map(({ owned }: { owned: number }) => owned)]).toEqual([at, [comics]]);
  const found = (await comicsIn(join(folder, "library"))).map(({ number }) => number);
  expect([at, found.toSorted((one, other) => one - other)]).toEqual([
    at,
    Array.from({ length: comics }, (_, index) => index + 1),
  ]);
  const batches = (await admin.get("/api/library/moves")).body as Array<{ state: string }>;
  expect([at, batches.filter(({ state }) => state === "running")]).toEqual([at, []]);
}

describe("files on a machine that loses its power", () => {
  it(
    "are there, whole, moved and tagged as was acknowledged, whatever of the rest was lost",
    { timeout: runsLongTests ? 1_800_000 : 300_000, meta: { seed } },
    async (context) => {
      if (spawnSync("strace", ["-V"]).status !== 0) return context.skip("there is no strace to write calls down with");
      const outer = await mkdtemp(join(tmpdir(), "longbox-power-files-"));
      // The server keeps absolute paths: what is found after a cut is written where it was.
      const folder = join(outer, "disk");
      try {
        await mkdir(folder);
        const trace = join(outer, "trace");
        await traceProgram([process.execPath, child, folder, String(rounds), String(comics)], trace);
        const random = seededRandom(seed);
        const changes = await countChanges(trace, folder, isReady);
        expect(changes).toBeGreaterThan(comics * rounds * 4);
        const wanted = [...new Set(Array.from({ length: cuts }, () => random.between(1, changes)))];
        const restarted = new Set(wanted.slice(0, restarts));
        const replay = new Replay(folder);
        let at = 0;
        for await (const step of readTrace(trace)) {
          if (!replay.take(step) || !isReady(replay) || !wanted.includes((at += 1))) continue;
          await rm(folder, { recursive: true });
          await mkdir(folder);
          // In turn nothing that was not synced survives, all of it, or any part of it.
          const share = [0, 0.5, 1, 0.9][at % 4]!;
          await replay.disk.writeTo(folder, () => random.next() < share);
          await expectKept(at, folder, replay.said);
          if (restarted.has(at)) await expectRecovered(at, folder);
        }
        expect(acknowledged(replay.said, "tagged")).toBe(rounds);
      } finally {
        await rm(outer, { recursive: true, force: true });
      }
    },
  );
});

/** Before, the comics were not even in the library. */
function isReady({ said }: Replay): boolean {
  return said.includes("ready 0");
}
