import { spawn } from "node:child_process";
import { once } from "node:events";
import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Collection } from "@longbox/collection/contract";
import { FilesImporting, type ImportedFile, type PlaceRequest } from "@longbox/files/contract";
import { comicEntries, seededRandom, writeArchive } from "@longbox/test/fixtures";
import { Aim, chooseSeed } from "@longbox/test/killing";
import { runsLongTests } from "@longbox/test/needs";
import { systemViewer } from "@longbox/sdk";
import { startTestHost } from "@longbox/sdk/testing";
import { describe, expect, it } from "vitest";
import { wantMoths } from "./support/wanting.js";

const kills = runsLongTests ? 40 : 1;
/** On a busy machine, kills miss more often. */
const tries = kills * 12 + 12;
const seed = chooseSeed();
const goal = join("Moth Patrol (2019)", "Moth Patrol 002 (2019).cbz");

interface Scene extends AsyncDisposable {
  readonly root: string;
  readonly data: string;
  /** The file that is to be placed, 20 MB, and the smaller one that it replaces. */
  readonly path: string;
  readonly hashes: { readonly fresh: string; readonly former: string };
  readonly request: PlaceRequest;
}

/** A library whose wanted issue has a small file already, and a larger one on another disk where there is one. */
async function setUp(mode: PlaceRequest["mode"]): Promise<Scene> {
  const root = await mkdtemp(join(tmpdir(), "longbox-files-placing-"));
  const data = await mkdtemp(join(tmpdir(), "longbox-files-placing-data-"));
  const inbox = await mkdtemp(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "longbox-files-inbox-"));
  const path = join(inbox, "fresh.cbz");
  const noise = Buffer.alloc(20_000_000, Buffer.from(`${seededRandom(seed).next()}`));
  const pages = await comicEntries({ series: "Moth Patrol", number: "2", pages: 2 });
  await writeArchive(path, new Map([...pages, ["003.jpg", Buffer.concat([pages.get("001.jpg")!, noise])]]));
  const former = join(inbox, "former.cbz");
  await writeArchive(former, pages);
  await using host = await startTestHost({
    plugins: ["operations", "collection", "files", "comics"],
    storage: "sqlite",
    dataFolder: data,
    settings: { files: { watchFolders: false, scanAtStart: false } },
  });
  await host.as("admin").post("/api/libraries", { name: "Comics", type: "comic", rootFolder: root });
  const { issues } = await wantMoths(host);
  const issueId = issues.get("2")!;
  await host.use(FilesImporting).place({ path: former, key: "former", issueId, mode: "copy" }, systemViewer);
  await host.stop();
  return {
    root,
    data,
    path,
    hashes: { fresh: await hashOf(path), former: await hashOf(former) },
    request: { path, key: "fresh", issueId, mode, replaces: "always" },
    async [Symbol.asyncDispose]() {
      for (const folder of [root, data, inbox]) await rm(folder, { recursive: true, force: true });
    },
  };
}

async function hashOf(path: string): Promise<string> {
  return hash("sha256", await readFile(path));
}

/** Every file in a library, its trash and whatever is hidden included: path and hash. */
async function everyFile(root: string): Promise<Array<readonly [path: string, hash: string]>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(paths.map(async (path) => [path.slice(root.length + 1), await hashOf(path)] as const));
}

/** @param killAfterMs - undefined lets it finish */
async function placeInServer(
  scene: Scene,
  killAfterMs: number | undefined,
): Promise<{ tookMs: number; ended: boolean }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "support/placing-server.ts"), scene.data], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout });
  await once(lines, "line");
  const startedAt = performance.now();
  let ended = false;
  const answered = once(lines, "line").then(() => (ended = true));
  child.stdin.write(`${JSON.stringify(scene.request)}\n`);
  if (killAfterMs === undefined) await answered;
  else await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, killAfterMs))]);
  const outcome = { tookMs: performance.now() - startedAt, ended };
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
  return outcome;
}

async function expectWhole(scene: Scene): Promise<void> {
  await using host = await startTestHost({
    plugins: ["operations", "collection", "files", "comics"],
    storage: "sqlite",
    dataFolder: scene.data,
    settings: { files: { watchFolders: false, scanAtStart: false } },
  });
  const { hashes, request, root, path } = scene;
  const before = await everyFile(root);
  const place = async () => (await everyFile(root)).find(([name]) => name === goal)?.[1];
  const arrived = (await place()) === hashes.fresh;
  if (!arrived) expect(await place(), "the former file is back in its place").toBe(hashes.former);
  const copies = before.filter(([, content]) => content === hashes.fresh).length;
  expect(copies, JSON.stringify(before)).toBe(arrived ? 1 : 0);
  expect(existsSync(path)).toBe(request.mode !== "move" || !arrived);
  expect(before.every(([, content]) => content === hashes.fresh || content === hashes.former)).toBe(true);
  const placed: ImportedFile = await host.use(FilesImporting).place(request, systemViewer);
  expect(await host.use(FilesImporting).place(request, systemViewer)).toEqual(placed);
  const after = await everyFile(root);
  expect(after.filter(([, content]) => content === hashes.fresh)).toEqual([[goal, hashes.fresh]]);
  expect(after.filter(([, content]) => content === hashes.former)).toHaveLength(1);
  expect(after).toHaveLength(2);
  expect(existsSync(path)).toBe(request.mode !== "move");
  const holdings = await host.use(Collection).listHoldings(request.issueId!);
  expect(holdings.map((holding) => holding.path)).toEqual([join(root, goal)]);
}

describe("kill -9 while a file is being placed", () => {
  it.each(["move", "copy", "link"] as const)(
    "ends with exactly one copy, and the key goes on, to %s",
    { timeout: 120_000 + kills * 120_000, meta: { seed } },
    async (mode) => {
      const aim = new Aim(seed);
      aim.tookMs.set(mode, await durationOf(mode));
      for (let attempt = 0; attempt < tries && !aim.hasHit([mode], kills); attempt++) {
        await using scene = await setUp(mode);
        const { ended, tookMs } = await placeInServer(scene, aim.instantMs(mode));
        // The first run was slower than those that follow.
        if (ended) aim.tookMs.set(mode, tookMs);
        aim.note(mode, ended ? "late" : "middle");
        await expectWhole(scene);
      }
      expect(aim.hasHit([mode], kills), JSON.stringify([...aim.landed])).toBe(true);
    },
  );
});

/** How long placing takes when it is left alone, without the start of the server; in milliseconds. */
async function durationOf(mode: PlaceRequest["mode"]): Promise<number> {
  await using scene = await setUp(mode);
  const { tookMs } = await placeInServer(scene, undefined);
  if (runsLongTests) await expectWhole(scene);
  return tookMs;
}
