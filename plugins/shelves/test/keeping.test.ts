import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtempDisposable, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Reading } from "@longbox/reading/contract";
import { KernelUsers } from "@longbox/sdk";
import { seededRandom } from "@longbox/test/fixtures";
import { chooseSeed } from "@longbox/test/killing";
import { needsLongRun } from "@longbox/test/needs";
import { describe, expect, it } from "vitest";
import { openBrowsingDesk, standardFiles, until, type BrowsingDesk, type FileSpec } from "./support/browsing-desk.js";

/** The snapshot of a server, once there is one. */
async function snapshotOf(dataFolder: string): Promise<string> {
  const find = async () =>
    (await readdir(dataFolder, { recursive: true })).find((path) => path.endsWith("index.snapshot"));
  await until(async () => (await find()) !== undefined);
  return join(dataFolder, (await find())!);
}

/** How many threads of this process hold an index: Linux cuts their names off. */
async function countIndexThreads(): Promise<number> {
  const threads = await readdir("/proc/self/task");
  const names = await Promise.all(threads.map((id) => readFile(`/proc/self/task/${id}/comm`, "utf8").catch(() => "")));
  return names.filter((name) => name.startsWith("shelves/index")).length;
}

const status = async (desk: BrowsingDesk) => (await desk.host.as("admin").get("/api/shelves/status")).body;

describe("the index", () => {
  it("was never built where there is nothing: everything answers empty", async () => {
    await using desk = await openBrowsingDesk();
    expect(await desk.titles("viewer")).toEqual([]);
    expect(await status(desk)).toMatchObject({ size: 0 });
    expect((await desk.host.as("viewer").get("/api/shelves/facets")).body).toEqual({});
    expect((await desk.host.as("viewer").get("/api/shelves/authors")).body).toEqual([]);
    expect((await desk.host.as("viewer").get("/api/shelves/surprise")).body).toEqual({ item: null });
  });

  it("follows the library: what is added, changed, removed and moved to another library", async () => {
    await using desk = await openBrowsingDesk();
    const heard = await desk.host.domains("viewer");
    await desk.built();
    await desk.place(...standardFiles);
    await until(async () => (await desk.titles("viewer")).length === standardFiles.length);
    await heard.until("shelves");
    await heard.release();
    await desk.place({ ...standardFiles.at(-1)!, issue: { subjects: ["Western"] } });
    await until(async () => (await desk.titles("viewer", "?genre=Western")).length === 1);
    const { body } = await desk.host.as("viewer").get("/api/shelves/items?q=nameless");
    const removed = await desk.host.as("admin").post(`/api/collection/${body.items[0].seriesId}/delete`);
    expect(removed.status).toBe(200);
    await until(async () => (await desk.titles("viewer")).length === standardFiles.length - 1);
  });

  it("is built by those who manage the library, one at a time, with progress", async () => {
    await using desk = await openBrowsingDesk();
    await desk.place(...many(600));
    await desk.built();
    const admin = desk.host.as("admin");
    const [one, other] = await Promise.all([admin.post("/api/shelves/rebuild"), admin.post("/api/shelves/rebuild")]);
    const [started, refused] = one.status === 200 ? [one, other] : [other, one];
    expect(started.body).toMatchObject({ started: true, state: { done: expect.any(Number) } });
    expect([refused.status, refused.body.code]).toEqual([409, "shelves/rebuild-running"]);
    await desk.built();
    const progress = (await desk.host.as("viewer").get("/api/shelves/rebuild/status")).body;
    expect(progress).toMatchObject({ running: false, done: 600, total: 600, message: "600 items in the index" });
  });

  it("that is being built again answers throughout, and can be given up", async () => {
    await using desk = await openBrowsingDesk();
    await desk.place(...many(600));
    await desk.built();
    await until(async () => (await status(desk)).size === 600);
    const admin = desk.host.as("admin");
    expect((await admin.post("/api/shelves/rebuild")).status).toBe(200);
    const [job] = (await admin.get("/api/jobs")).body;
    expect((await status(desk)).size).toBe(600);
    await admin.post(`/api/jobs/${job.id}/cancel`).then(({ status: answered }) => answered);
    await until(async () => !(await status(desk)).building);
    expect((await status(desk)).size).toBe(600);
  });
});

describe("the snapshot", () => {
  it("makes building unnecessary after a restart, and loses no change since", async () => {
    await using data = await mkdtempDisposable(join(tmpdir(), "longbox-shelves-data-"));
    await using desk = await openBrowsingDesk({ dataFolder: data.path, storage: "sqlite" });
    await desk.place(...standardFiles);
    await rebuild(desk);
    const { builtAt } = await status(desk);
    await desk.place({ series: "Zinc Lane" });
    await until(async () => (await desk.titles("viewer", "?q=zinc")).length === 1);
    await desk.host.restart();
    await until(async () => (await desk.titles("viewer", "?q=zinc")).length === 1);
    expect(await status(desk)).toMatchObject({ builtAt, size: standardFiles.length + 1 });
    expect(await desk.counts("viewer", "genre")).toMatchObject({ Mystery: 4, Adventure: 2 });
  });

  it(
    "is read again after a rest of the thread, which a small index does not keep without questions",
    { ...needsLongRun, timeout: 180_000 },
    async () => {
      await using data = await mkdtempDisposable(join(tmpdir(), "longbox-shelves-data-"));
      await using desk = await openBrowsingDesk({ dataFolder: data.path, storage: "sqlite" });
      const [first] = await desk.place(...standardFiles);
      await rebuild(desk);
      const asked = "?read=read";
      const { id } = (await desk.host.as("viewer").get("/api/auth/me")).body.user;
      const viewer = await desk.host.use(KernelUsers).viewerOf(id);
      await desk.host.use(Reading).mark(viewer!, [first!.issueId], true);
      await until(async () => (await desk.titles("viewer", asked)).length === 1);
      const { builtAt } = await status(desk);
      expect(await countIndexThreads()).toBe(1);
      await until(async () => (await countIndexThreads()) === 0, 120_000);
      expect(await desk.titles("viewer", asked)).toHaveLength(1);
      expect(await desk.titles("viewer")).toHaveLength(standardFiles.length);
      expect(await status(desk)).toMatchObject({ builtAt, size: standardFiles.length, building: false });
      expect(await countIndexThreads()).toBe(1);
    },
  );

  it("is made again when it is damaged", async () => {
    await using data = await mkdtempDisposable(join(tmpdir(), "longbox-shelves-data-"));
    await using desk = await openBrowsingDesk({ dataFolder: data.path, storage: "sqlite" });
    await desk.place(...standardFiles);
    await rebuild(desk);
    const file = await snapshotOf(data.path);
    for (const damage of damages(await readFile(file))) {
      await desk.host.stop();
      await damage(file);
      await desk.host.restart();
      await desk.built();
      expect(await desk.counts("viewer", "genre")).toMatchObject({ Mystery: 4, Adventure: 2 });
      await until(() => existsSync(file));
    }
  });

  it("survives kills at any instant of building and writing", { meta: { seed: chooseSeed() } }, async ({ task }) => {
    const random = seededRandom(task.meta.seed!);
    await using data = await mkdtempDisposable(join(tmpdir(), "longbox-shelves-data-"));
    {
      await using desk = await openBrowsingDesk({ dataFolder: data.path, storage: "sqlite" });
      await desk.place(...many(1500));
    }
    const kills = process.env["LONGBOX_LONG_TESTS"] ? 30 : 2;
    for (let kill = 0; kill < kills; kill++) await buildUntilKilled(data.path, random.next() * 600);
    await using desk = await openBrowsingDesk({ dataFolder: data.path, storage: "sqlite" });
    await desk.built();
    await until(async () => (await status(desk)).size === 1500);
    expect(await desk.counts("viewer", "genre")).toEqual({ "Genre 0": 500, "Genre 1": 500, "Genre 2": 500 });
  });
});

function many(count: number): FileSpec[] {
  return Array.from({ length: count }, (_, index) => ({
    series: `Series ${index % 50}`,
    number: String(Math.floor(index / 50) + 1),
    issue: { subjects: [`Genre ${index % 3}`] },
  }));
}

async function rebuild(desk: BrowsingDesk): Promise<void> {
  await desk.built();
  expect((await desk.host.as("admin").post("/api/shelves/rebuild")).status).toBe(200);
  await desk.built();
}

/** Ways in which a file breaks, each from the sound bytes. */
function damages(sound: Buffer): Array<(file: string) => Promise<void>> {
  const flipped = (at: number) => async (file: string) => {
    const bytes = Buffer.from(sound);
    bytes[at]! ^= 0xff;
    await writeFile(file, bytes);
  };
  return [
    (file) => writeFile(file, ""),
    (file) => writeFile(file, "not a snapshot at all"),
    async (file) => {
      await writeFile(file, sound);
      await truncate(file, Math.floor(sound.length * 0.7));
    },
    flipped(40),
    flipped(sound.length - 9),
    flipped(Math.floor(sound.length / 2)),
  ];
}

/** Runs a server that builds its index, and kills it so many milliseconds after it began. */
async function buildUntilKilled(folder: string, afterMs: number): Promise<void> {
  const program = join(import.meta.dirname, "support/building-child.ts");
  const child = spawn(process.execPath, [program, folder], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  for await (const _ of createInterface({ input: child.stdout })) setTimeout(() => child.kill("SIGKILL"), afterMs);
  await ended;
}
