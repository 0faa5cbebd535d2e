import { spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { comicEntries, seededRandom, writeComic, zip } from "@longbox/test/fixtures";
import { systemViewer } from "@longbox/sdk";
import { describe, expect, it } from "vitest";
import { placeKey, planRefile, type WantedPlace } from "../../src/refile/plan.js";
import { PlansUnderWay } from "../../src/refile/plans-under-way.js";
import { startLibrary } from "../support/library.js";

/** Every file below a folder with the hash of its bytes. */
async function contents(root: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (entry.isFile())
      found.set(
        join(entry.parentPath, entry.name).slice(root.length + 1),
        hash("sha256", await readFile(join(entry.parentPath, entry.name))),
      );
  }
  return found;
}

const tags = (number: string, title = `Part ${number}`) => ({
  Series: "Moth Patrol",
  Number: number,
  Volume: 2019,
  Title: title,
  Year: 2019,
});

describe("refiling", () => {
  it("says of a read-only library that its disk is, and moves nothing", async (context) => {
    await using library = await startLibrary({
      fill: (root) =>
        writeComic(join(root, "moths", "mp1.cbz"), { series: "Moth Patrol", number: "1", pages: 1, tags: tags("1") }),
    });
    const mounted = spawnSync("mount", ["--bind", library.root, library.root]).status === 0;
    if (!mounted) return context.skip("this process may not mount a file system");
    try {
      spawnSync("mount", ["-o", "remount,bind,ro", library.root]);
      const before = await contents(library.root);
      const admin = library.host.as("admin");
      const [series] = (await admin.get("/api/collection")).body;
      const { status, body } = await admin.post(`/api/collection/${series.id}/refile`, {});
      expect(status).toBe(200);
      expect(body).not.toHaveProperty("batchId");
      expect(body.plan).toMatchObject([{ status: "failed", error: expect.stringContaining("The disk is read-only") }]);
      expect(JSON.stringify(body)).not.toMatch(/collision/i);
      expect(await contents(library.root)).toEqual(before);
    } finally {
      spawnSync("umount", [library.root]);
    }
  });

  it("moves what the plan says, keeps issues and contents, and can be undone", async () => {
    await using library = await startLibrary({
      async fill(root) {
        await writeComic(join(root, "moths", "mp1.cbz"), {
          series: "Moth Patrol",
          number: "1",
          pages: 2,
          tags: tags("1"),
        });
        await writeComic(join(root, "moths", "b", "second.CBZ"), {
          series: "Moth Patrol",
          number: "2",
          pages: 2,
          tags: tags("2"),
        });
        await writeFile(join(root, "moths", "notes.txt"), "not a comic");
      },
    });
    const admin = library.host.as("admin");
    const before = await contents(library.root);
    const issuesBefore = (await library.files()).map(({ number, cvIssueId }) => [number, cvIssueId]).sort();
    const batches: number[] = [];
    for (const { id } of (await admin.get("/api/collection")).body) {
      const untouched = await contents(library.root);
      const { plan } = (await admin.post(`/api/collection/${id}/refile`, { dryRun: true })).body;
      expect(await contents(library.root)).toEqual(untouched);
      const done = (await admin.post(`/api/collection/${id}/refile`, {})).body;
      batches.push(done.batchId);
      expect(done.plan).toEqual(plan);
      expect(plan.length).toBeGreaterThan(0);
      expect(plan.every((step: { status: string }) => step.status === "move")).toBe(true);
    }
    expect(batches.length).toBeGreaterThan(0);
    const after = await contents(library.root);
    expect([...after.keys()].sort()).toEqual([
      "Moth Patrol (2019)/Moth Patrol 001 (2019).cbz",
      "Moth Patrol (2019)/Moth Patrol 002 (2019).cbz",
      "moths/notes.txt",
    ]);
    expect([...after.values()].sort()).toEqual([...before.values()].sort());
    expect((await library.files()).map(({ number, cvIssueId }) => [number, cvIssueId]).sort()).toEqual(issuesBefore);
    const [series] = (await admin.get("/api/collection")).body;
    expect((await admin.post(`/api/collection/${series.id}/refile`, {})).body).not.toHaveProperty("batchId");
    for (const batch of batches.toReversed())
      expect((await admin.post(`/api/library/moves/${batch}/undo`)).body.failed).toEqual([]);
    expect(await contents(library.root)).toEqual(before);
    expect((await library.scan()).message).toBe("Comics: 0 looked into, 0 moved, 0 gone");
  });

  it("keeps the extension of a file whose format has no plugin at the moment", async () => {
    await using library = await startLibrary({
      fill: (root) =>
        writeComic(join(root, "moths", "mp1.CBZ"), { series: "Moth Patrol", number: "1", pages: 1, tags: tags("1") }),
    });
    const admin = library.host.as("admin");
    const [series] = (await admin.get("/api/collection")).body;
    await library.host.disable("comics");
    const { plan } = (await admin.post(`/api/collection/${series.id}/refile`, {})).body;
    expect(plan).toMatchObject([{ status: "move" }]);
    expect([...(await contents(library.root)).keys()]).toEqual(["Moth Patrol (2019)/Moth Patrol 001 (2019).cbz"]);
  });

  it("never overwrites: a second copy and a stranger in the way are collisions", async () => {
    const page = await comicEntries({ series: "x", number: "1", pages: 1 });
    await using library = await startLibrary({
      async fill(root) {
        for (const name of ["a", "b"]) {
          await mkdir(join(root, name));
          await writeFile(
            join(root, name, "Night Bell 001.cbz"),
            zip(new Map([...page, [`${name}.txt`, Buffer.from(name)]])),
          );
        }
      },
    });
    await mkdir(join(library.root, "Night Bell"));
    await writeFile(join(library.root, "Night Bell", "Night Bell 001.cbz"), "a stranger");
    const before = await contents(library.root);
    const admin = library.host.as("admin");
    const statuses: string[] = [];
    for (const { id } of (await admin.get("/api/collection")).body) {
      const { plan } = (await admin.post(`/api/collection/${id}/refile`, {})).body;
      statuses.push(...plan.map((step: { status: string }) => step.status));
    }
    expect(statuses).toEqual(["collision", "collision"]);
    expect(await contents(library.root)).toEqual(before);
  });

  it("reorganises the whole library in the background", async () => {
    await using library = await startLibrary({
      async fill(root) {
        for (const number of ["1", "2", "3"])
          await writeComic(join(root, "x", `${number}.cbz`), {
            series: "Moth Patrol",
            number,
            pages: 1,
            tags: tags(number),
          });
      },
    });
    const admin = library.host.as("admin");
    expect((await library.host.as("viewer").get("/api/library/refile-plan")).status).toBe(403);
    expect((await admin.post("/api/library/refile")).body.started).toBe(true);
    let state = { running: true, message: "" };
    while (state.running) state = (await admin.get("/api/library/refile-status")).body;
    expect(state.message).toBe("3 moved, 0 failed");
    expect(
      (await admin.get("/api/library/refile-plan")).body.plan.map((step: { status: string }) => step.status),
    ).toEqual(["unchanged", "unchanged", "unchanged"]);
  });
});

describe("a plan", () => {
  it("loses nothing and overwrites nothing, whatever is wanted (500 random plans)", async () => {
    const random = seededRandom(20);
    let moves = 0;
    for (let round = 0; round < 500; round++) {
      const names = ["a", "b", "c", "d", "e", "A"].map((name) => `/r/${name}`);
      const present = names.filter(() => random.next() < 0.7);
      const files = present.filter(() => random.next() < 0.8);
      const strangers = new Set(present.filter((path) => !files.includes(path)));
      const wanted: WantedPlace[] = files.map((from) => ({
        from,
        to: random.next() < 0.1 ? undefined : random.pick(names),
      }));
      const disk = new Map(present.map((path) => [path, path]));
      const plan = await planRefile(wanted, (path) =>
        [...strangers].some((stranger) => placeKey(stranger) === placeKey(path)),
      );
      expect(plan.map((step) => step.from).sort()).toEqual([...files].sort());
      for (const { from, to, status } of plan) {
        if (status !== "move") continue;
        expect(disk.has(to), `${from} to ${to} in ${JSON.stringify(wanted)}`).toBe(false);
        disk.set(to, disk.get(from)!);
        disk.delete(from);
        moves += 1;
      }
      expect([...disk.values()].sort()).toEqual([...present].sort());
    }
    expect(moves).toBeGreaterThan(100);
  });

  it("lets a file leave before another takes its place, and leaves circles alone", async () => {
    expect(
      await planRefile(
        [
          { from: "/r/1", to: "/r/2" },
          { from: "/r/2", to: "/r/3" },
        ],
        () => false,
      ),
    ).toEqual([
      { from: "/r/2", to: "/r/3", status: "move" },
      { from: "/r/1", to: "/r/2", status: "move" },
    ]);
    const circle = [
      { from: "/r/1", to: "/r/2" },
      { from: "/r/2", to: "/r/1" },
    ];
    const plan = await planRefile(circle, () => false);
    expect(plan.map((step) => step.status)).toEqual(["collision", "collision"]);
  });

  it("gives other requests their turn while it is made", async () => {
    const wanted = Array.from({ length: 20_000 }, (_, file) => ({ from: `/r/${file}`, to: `/r/${file + 1}` }));
    let turns = 0;
    const take = () => {
      turns += 1;
      next = setImmediate(take);
    };
    let next = setImmediate(take);
    const plan = await planRefile(wanted, () => false);
    clearImmediate(next);
    expect(plan.slice(0, 2).map(({ from }) => from)).toEqual(["/r/19999", "/r/19998"]);
    expect(turns).toBeGreaterThan(100);
  });
});

it("says to the one who waits for a plan how far it is, until it is there or given up", async () => {
  const plans = new PlansUnderWay(() => {});
  const other = { ...systemViewer, user: { ...systemViewer.user, id: 7 } };
  const giving = new AbortController();
  const given = plans.follow(systemViewer, giving.signal, async ({ signal, progress }) => {
    progress?.(3, 9);
    expect(plans.state(systemViewer)).toMatchObject({ running: true, done: 3, total: 9 });
    expect(plans.state(other)).toEqual({ running: false, done: 0, total: 0 });
    giving.abort();
    signal?.throwIfAborted();
  });
  await expect(given).rejects.toMatchObject({ name: "AbortError" });
  expect(plans.state(systemViewer)).toEqual({ running: false, done: 0, total: 0 });
});
