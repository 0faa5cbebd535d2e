import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Release } from "@longbox/downloads/contract";
import { seededRandom } from "@longbox/test/fixtures";
import { chooseSeed } from "@longbox/test/killing";
import { runsLongTests } from "@longbox/test/needs";
import { expect, it } from "vitest";
import { comic, fakeSource, FileServer, openDownloadDesk, volume } from "./support/download-desk.js";

/** At least so many kills, and until so many have broken off a download. */
const [kills, hits] = runsLongTests ? [60, 20] : [3, 1];
/** More pages take longer to download, so that there is something to break off until the last kill. */
const pages = runsLongTests ? 16 : 4;
const seed = chooseSeed();
const numbers = volume.issues.map(({ number }) => number);

async function offerAll(files: FileServer): Promise<Release[]> {
  const releases: Release[] = [];
  for (const number of numbers) {
    const bytes = await comic(number, pages);
    const reference = files.serve(`/${number}.cbz`, bytes, { pieceBytes: 2_000, breathMs: 50 });
    const title = `Moth Patrol ${number.padStart(3, "0")} (2019).cbz`;
    releases.push({ guid: number, title, protocol: "direct", reference, sizeBytes: bytes.length });
  }
  return releases;
}

/** Lets a server run until so long after it said that it runs. */
async function runAndKill(parameters: readonly string[], afterMs: number): Promise<void> {
  const program = join(import.meta.dirname, "support/downloading-child.ts");
  const child = spawn(process.execPath, [program, ...parameters], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  await Promise.race([once(child.stdout, "data"), ended]);
  expect(child.exitCode).toBeNull();
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill("SIGKILL");
  await ended;
}

it(
  "loses nothing, and imports nothing twice, when it is killed at any moment",
  { timeout: runsLongTests ? 3_600_000 : 600_000, meta: { seed } },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "longbox-downloads-kill-"));
    await using files = await FileServer.start();
    const random = seededRandom(seed);
    try {
      const releases = await offerAll(files);
      const [dataFolder, root] = [join(folder, "data"), join(folder, "library")];
      for (let kill = 0; kill < kills || (files.interrupted < hits && kill < kills * 4); kill += 1)
        await runAndKill([dataFolder, root, JSON.stringify(releases), files.url], random.between(0, 1_500));
      expect(files.interrupted).toBeGreaterThanOrEqual(hits);
      const source = { ...fakeSource(), releases, configuredUrl: files.url };
      await using desk = await openDownloadDesk({ dataFolder, root, storage: "sqlite", parts: { source } });
      await desk.owns(...numbers);
      const { rows, total } = (await desk.host.as("admin").get("/api/history")).body;
      expect(total).toBe(numbers.length);
      expect(new Set(rows.map(({ cvIssueId }: { cvIssueId: number }) => cvIssueId)).size).toBe(numbers.length);
      expect(await desk.filesInLibrary()).toHaveLength(numbers.length);
      expect((await desk.host.as("admin").get("/api/blacklist")).body.total).toBe(0);
      const left = async () =>
        (await readdir(dataFolder, { recursive: true })).filter((path) => path.includes("files/arriving/"));
      await expect.poll(left, { timeout: 30_000 }).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);
