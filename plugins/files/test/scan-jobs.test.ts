import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestHost, type TestHost, type TestHostOptions } from "@longbox/sdk/testing";
import { zip } from "@longbox/test/fixtures";
import { describe, expect, it } from "vitest";
import { untilSettled } from "./support/library.js";
import { twoTextFormats, textTypes } from "./support/text-plugin.js";

const page = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(200, 7)]);

async function fill(root: string, title: string, from: number, to: number): Promise<void> {
  await mkdir(join(root, title), { recursive: true });
  for (let number = from; number <= to; number++)
    await writeFile(join(root, title, `${title} ${number}.cbz`), zip(new Map([[`${title} ${number}.jpg`, page]])));
}

interface WithJobs {
  readonly watchFolders?: boolean;
  readonly storage?: TestHostOptions["storage"];
  /** Beside those of comics, for a library of the type. */
  readonly plugins?: NonNullable<TestHostOptions["plugins"]>;
  readonly type?: string;
}

/** A server that keeps jobs, whose library of one comic has been scanned. */
async function withJobs(
  test: (host: TestHost, root: string) => Promise<void>,
  { watchFolders = false, storage = "memory", plugins = [], type = "comic" }: WithJobs = {},
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "longbox-files-scan-jobs-"));
  try {
    await fill(root, "Night Bell", 1, 1);
    await using host = await startTestHost({
      plugins: [...plugins, "operations", "collection", "files", "comics"],
      settings: { files: { watchFolders } },
      storage,
    });
    await host.as("admin").post("/api/libraries", { name: "Comics", type, rootFolder: root });
    await untilSettled(host, "");
    await test(host, root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** The jobs, oldest first, once none is under way. */
async function endedJobs(host: TestHost): Promise<Array<[title: string, state: string, says: string | undefined]>> {
  const list = async (): Promise<any[]> => (await host.as("admin").get("/api/jobs")).body;
  await expect
    .poll(async () => (await list()).every(({ endedAt }) => endedAt), { timeout: 20_000, interval: 15 })
    .toBe(true);
  return (await list()).toReversed().map(({ title, state, message, error }) => [title, state, error ?? message]);
}

/** Resolves once a scan that was asked for has found what there is to do. */
async function untilUnderWay(host: TestHost): Promise<void> {
  await expect
    .poll(async () => (await host.as("admin").get("/api/scan-folder")).body.total, { timeout: 20_000, interval: 5 })
    .toBeGreaterThan(1);
}

describe("scans among the jobs", () => {
  it("are there for every kind of request, with their results", async () => {
    await withJobs(async (host, root) => {
      const admin = host.as("admin");
      await fill(root, "Moth Patrol", 1, 3);
      const scan = async (path: string) => {
        const before = (await admin.get("/api/scan-folder")).body.startedAt;
        expect((await admin.post(path)).status).toBe(200);
        await untilSettled(host, before);
      };
      await scan("/api/libraries/1/scan");
      const moths = (await admin.get("/api/collection?search=moth")).body[0].id;
      await scan(`/api/collection/${moths}/scan`);
      await rm(root, { recursive: true });
      await scan("/api/libraries/1/scan");
      expect(await endedJobs(host)).toEqual([
        ["Scan Comics", "done", "Comics: 1 looked into, 0 moved, 0 gone"],
        ["Scan Comics", "done", "Comics: 3 looked into, 0 moved, 0 gone"],
        ["Scan Moth Patrol in Comics", "done", "Comics: 3 looked into, 0 moved, 0 gone"],
        ["Scan Comics", "failed", "The library's folder is not there. Nothing was changed."],
      ]);
    });
  });

  it("are one for a library whose formats come one after the other", async () => {
    const formats = twoTextFormats(100);
    const test = async (host: TestHost, root: string) => {
      await host.disable("two-formats");
      await writeFile(join(root, "a.txt"), "# 1 One");
      await writeFile(join(root, "b.txt"), "%PDF");
      await host.enable("two-formats");
      const ended = async () => (await endedJobs(host)).slice(1);
      await expect.poll(ended, { timeout: 20_000, interval: 50 }).not.toEqual([]);
      // Another would have begun by now.
      await new Promise((resolve) => setTimeout(resolve, 600));
      expect(await ended()).toEqual([["Scan Comics", "done", "Comics: 2 looked into, 0 moved, 0 gone"]]);
    };
    await withJobs(test, { type: "text", plugins: [textTypes, formats] });
  });

  it("blame no file when the plugin is switched off in the middle of one", async () => {
    await withJobs(async (host, root) => {
      const admin = host.as("admin");
      await fill(root, "Moth Patrol", 1, 600);
      await admin.post("/api/libraries/1/scan");
      const isSettled = async () => (await admin.get("/api/scan-folder")).body.running === false;
      for (let times = 0; times < 4 && !(await isSettled()); times++) {
        await untilUnderWay(host);
        await host.disable("files");
        await host.enable("files");
      }
      await expect.poll(isSettled, { timeout: 60_000 }).toBe(true);
      const { body } = await admin.get("/api/logs?limit=1000");
      expect(JSON.stringify(body)).not.toMatch(/stopped the (?:scanning|inspecting) thread/);
      expect((await admin.get("/api/collection?search=moth")).body).toMatchObject([{ owned: 600, corrupt: 0 }]);
    });
  });

  it("are one with the tool that asked for them", async () => {
    await withJobs(async (host) => {
      await host.as("admin").post("/api/tools/scan-library", {});
      expect((await endedJobs(host)).map(([title, state]) => [title, state])).toEqual([
        ["Scan Comics", "done"],
        ["Scan the libraries", "done"],
      ]);
    });
  });

  it("are there for a folder that changed, as a kind of their own", async () => {
    await withJobs(
      async (host, root) => {
        await fill(root, "Night Bell", 2, 2);
        const changes = async () =>
          (await host.as("admin").get("/api/jobs")).body
            .filter(({ kind }: { kind: string }) => kind === "files.scan-changes")
            .map(({ title, state, message }: Record<string, string>) => [title, state, message]);
        await expect
          .poll(changes, { timeout: 20_000, interval: 50 })
          .toEqual([["Scan Night Bell in Comics", "done", "Comics: 1 looked into, 0 moved, 0 gone"]]);
      },
      { watchFolders: true },
    );
  });

  it("go on as the same job after a restart", async () => {
    await withJobs(
      async (host, root) => {
        const admin = host.as("admin");
        await fill(root, "Long Run", 1, 2500);
        await admin.post("/api/libraries/1/scan");
        await untilUnderWay(host);
        const { id } = (await admin.get("/api/jobs")).body[0];
        await host.restart();
        const job = async () => (await admin.get(`/api/jobs/${id}`)).body;
        await expect.poll(async () => (await job()).state, { timeout: 60_000, interval: 50 }).toBe("done");
        expect((await admin.get("/api/collection?search=long+run")).body[0]).toMatchObject({ owned: 2500 });
      },
      { storage: "sqlite" },
    );
  });

  it("stop when their job is cancelled", async () => {
    await withJobs(async (host, root) => {
      const admin = host.as("admin");
      await fill(root, "Long Run", 1, 2500);
      await admin.post("/api/libraries/1/scan");
      await untilUnderWay(host);
      const [job] = (await admin.get("/api/jobs")).body;
      expect(job).toMatchObject({ kind: "files.scan", title: "Scan Comics", state: "running" });
      expect((await admin.post(`/api/jobs/${job.id}/cancel`)).status).toBe(200);
      expect((await untilSettled(host)).message).toBe("Stopped: Scan Comics");
      expect((await endedJobs(host)).at(-1)).toEqual(["Scan Comics", "cancelled", "It was cancelled."]);
    });
  });

  it("find everything, and what is gone, in the thread that scanned before", async () => {
    await withJobs(async (host, root) => {
      const admin = host.as("admin");
      const scan = async () => {
        const before = (await admin.get("/api/scan-folder")).body.startedAt;
        await admin.post("/api/libraries/1/scan");
        return untilSettled(host, before);
      };
      const owned = async () => (await admin.get("/api/collection?search=long+run")).body[0]?.owned;
      await fill(root, "Long Run", 1, 2500);
      await admin.post("/api/libraries/1/scan");
      await untilUnderWay(host);
      await admin.post("/api/scan-folder/cancel");
      await untilSettled(host);
      expect((await scan()).message).not.toContain("Stopped");
      expect(await owned()).toBe(2500);
      expect((await scan()).message).toContain("0 looked into, 0 moved, 0 gone");
      for (const number of [1, 2, 3, 1249, 1250, 2499, 2500])
        await rm(join(root, "Long Run", `Long Run ${number}.cbz`));
      expect((await scan()).message).toContain("0 looked into, 0 moved, 7 gone");
      expect(await owned()).toBe(2493);
    });
  });

  it("go on once the plugin that keeps jobs is back", async () => {
    await withJobs(async (host, root) => {
      const admin = host.as("admin");
      await fill(root, "Long Run", 1, 2500);
      await admin.post("/api/libraries/1/scan");
      await untilUnderWay(host);
      await host.disable("operations");
      expect((await admin.get("/api/scan-folder")).status).toBeGreaterThanOrEqual(400);
      await host.enable("operations");
      const owned = async () =>
        (await admin.get("/api/collection?search=long+run")).body.map((series: { owned: number }) => series.owned);
      await expect.poll(owned, { timeout: 30_000 }).toEqual([2500]);
    });
  });
});
