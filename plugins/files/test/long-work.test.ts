import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestHost } from "@longbox/sdk/testing";
import { writeComic, zip } from "@longbox/test/fixtures";
import { describe, expect, it } from "vitest";
import { startLibrary } from "./support/library.js";

const page = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(200, 7)]);
const comics = 150;

async function fill(root: string): Promise<void> {
  await mkdir(join(root, "messy"), { recursive: true });
  for (let number = 1; number <= comics; number++)
    await writeFile(join(root, "messy", `Moth Patrol ${number}.cbz`), zip(new Map([[`${number}.jpg`, page]])));
}

const jobsOf = async (host: TestHost, kind: string): Promise<any[]> =>
  (await host.as("admin").get("/api/jobs?limit=500")).body.filter((job: { kind: string }) => job.kind === kind);

async function until(condition: () => Promise<boolean>): Promise<void> {
  await expect.poll(condition, { timeout: 60_000, interval: 5 }).toBe(true);
}

describe("long work on files", () => {
  it("is a job: its state is the job's, and a second one like it is refused", async () => {
    await using library = await startLibrary({ fill });
    const admin = library.host.as("admin");
    const state = async () => (await admin.get("/api/library/refile-status")).body;
    expect(await state()).toEqual({ running: false, done: 0, total: 0 });
    const started = await admin.post("/api/library/refile");
    expect(started.body).toMatchObject({ started: true, state: { running: true } });
    const [job] = await jobsOf(library.host, "files.refile");
    expect(job).toMatchObject({ title: "Reorganise the library" });
    const second = await admin.post("/api/library/refile");
    if ((await state()).running) expect([second.status, second.body.code]).toEqual([409, "files/busy"]);
    await until(async () => !(await state()).running);
    expect(await state()).toMatchObject({ done: comics, total: comics, message: `${comics} moved, 0 failed` });
    expect((await jobsOf(library.host, "files.refile")).at(-1)).toMatchObject({ id: job.id, state: "done" });
  });

  it("goes on when its plugin comes back, as the same job, until nothing is left", async () => {
    await using library = await startLibrary({ fill });
    const { host, root } = library;
    const admin = host.as("admin");
    await admin.post("/api/library/refile");
    const job = async () => (await jobsOf(host, "files.refile"))[0];
    await until(async () => (await job()).done > 0 || (await job()).state === "done");
    const { id } = await job();
    await host.disable("files");
    await host.enable("files");
    await until(async () => (await job()).state === "done");
    expect(await job()).toMatchObject({ id, message: expect.stringMatching(/^\d+ moved, 0 failed$/) });
    expect(await job()).not.toHaveProperty("input");
    expect(await readdir(root)).toEqual(["Moth Patrol"]);
    expect((await readdir(join(root, "Moth Patrol"))).length).toBe(comics);
  });

  it("stops when its job is cancelled, and says so", async () => {
    await using library = await startLibrary({ fill });
    const admin = library.host.as("admin");
    await admin.post("/api/library/refile");
    const [{ id }] = await jobsOf(library.host, "files.refile");
    const answer = await admin.post(`/api/jobs/${id}/cancel`);
    const state = async () => (await admin.get("/api/library/refile-status")).body;
    await until(async () => !(await state()).running);
    // The job may have ended before: then there is nothing to be cancelled.
    if (answer.status === 200 && (await state()).error !== undefined)
      expect(await state()).toMatchObject({ error: "It was cancelled." });
    const files = await readdir(library.root, { recursive: true, withFileTypes: true });
    expect(files.filter((entry) => entry.isFile()).length).toBe(comics);
  });

  it("is among the jobs also where a request waits for it", async () => {
    const inbox = await mkdtemp(join(tmpdir(), "longbox-files-inbox-"));
    try {
      await using library = await startLibrary({
        fill: (root) => writeComic(join(root, "messy", "1.cbz"), { series: "Moth Patrol", number: "1", pages: 1 }),
        settings: { importFolder: inbox },
      });
      const admin = library.host.as("admin");
      await writeComic(join(inbox, "Night Bell 1.cbz"), { series: "Night Bell", number: "1", pages: 1 });
      const [series] = (await admin.get("/api/collection")).body;
      const refiled = await admin.post(`/api/collection/${series.id}/refile`, {});
      await admin.post(`/api/library/moves/${refiled.body.batchId}/undo`);
      await admin.post(`/api/collection/${series.id}/cleanup`, {});
      await admin.post("/api/import/scan", {});
      await admin.post("/api/import/run", {});
      for (const kind of ["refile-series", "undo", "cleanup", "import-look", "import"])
        expect([kind, (await jobsOf(library.host, `files.${kind}`)).map((job) => job.state)]).toEqual([kind, ["done"]]);
      expect((await admin.post("/api/collection/999/refile", {})).body.code).toBe("files/series-not-found");
    } finally {
      await rm(inbox, { recursive: true, force: true });
    }
  });
});
