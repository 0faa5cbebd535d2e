import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { join, relative } from "node:path";
import { writeComic, writeLibrary } from "@longbox/test/fixtures";
import { startTestHost, type TestHost } from "@longbox/sdk/testing";
import { needs } from "@longbox/test/needs";
import { describe, expect, it } from "vitest";
import { untilSettled } from "./support/library.js";

const corpus = fileURLToPath(new URL("../../../../shared/corpus/archives/komga/", import.meta.url));

interface EndedJob {
  readonly state: string;
  readonly message?: string;
  readonly error?: string;
}
type Run = (tool: string, order?: { dryRun: boolean }) => Promise<EndedJob>;

/** Every file below a folder, by what is in it. */
async function contentsOf(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(
      files.sort().map(
        async (path) =>
          [
            relative(root, path),
            createHash("sha256")
              .update(await readFile(path))
              .digest("hex"),
          ] as const,
      ),
    ),
  );
}

async function withTools(
  fill: (root: string) => Promise<unknown>,
  test: (host: TestHost, root: string, run: Run) => Promise<void>,
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "longbox-files-tools-"));
  try {
    await fill(root);
    await using host = await startTestHost({
      plugins: ["operations", "collection", "files", "comics", "archive-rar"],
      settings: { files: { watchFolders: false } },
    });
    const admin = host.as("admin");
    await admin.post("/api/libraries", { name: "Comics", type: "comic", rootFolder: root });
    await untilSettled(host, "");
    await test(host, root, async (tool, order) => {
      const started = await admin.post(`/api/tools/${tool}`, order ?? {});
      expect(started.status, JSON.stringify(started.body)).toBe(200);
      const job = async (): Promise<EndedJob & { endedAt?: string }> =>
        (await admin.get(`/api/jobs/${started.body.jobId}`)).body;
      await expect.poll(async () => (await job()).endedAt, { timeout: 30_000, interval: 15 }).toBeDefined();
      return job();
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Tries a tool, sees that no file has changed, then runs it. */
async function tryThenRun(root: string, run: Run, tool: string): Promise<[string | undefined, string | undefined]> {
  const before = await contentsOf(root);
  const trial = await run(tool, { dryRun: true });
  expect(await contentsOf(root)).toEqual(before);
  const real = await run(tool, { dryRun: false });
  expect([trial.state, real.state]).toEqual(["done", "done"]);
  return [trial.message, real.message];
}

describe("the tools for files", () => {
  it("scan, verify, tag, rename and remove copies, and say beforehand what they would do", async () => {
    await withTools(
      async (root) => {
        await writeLibrary(root, [{ title: "Night Bell", year: 2016, issues: ["1"], pages: 2, tagged: false }]);
        await writeComic(join(root, "x", "Night Bell 002.cbz"), { series: "Night Bell", number: "2", pages: 2 });
        await writeComic(join(root, "x", "Night Bell 002 (copy).cbz"), { series: "Night Bell", number: "2", pages: 2 });
      },
      async (host, root, run) => {
        const admin = host.as("admin");
        const issues = async () => {
          const series = (await admin.get("/api/collection")).body as Array<{ id: number }>;
          const details = await Promise.all(
            series.map(
              async ({ id }) =>
                (await admin.get(`/api/collection/${id}`)).body.issues as Array<{
                  files: Array<{ name: string; tagged: boolean }>;
                }>,
            ),
          );
          return details.flat();
        };
        expect(await run("verify")).toMatchObject({ state: "done", message: "3 files are whole" });

        expect(await tryThenRun(root, run, "remove-duplicates")).toEqual([
          expect.stringMatching(/^1 copy is redundant: Night Bell 002.* is Night Bell 002/),
          expect.stringMatching(/^1 copy is in the trash: /),
        ]);
        expect((await admin.get("/api/library/trash")).body.files).toBe(1);
        expect((await issues()).map(({ files }) => files.length)).toEqual([1, 1]);

        expect(await tryThenRun(root, run, "tag-untagged")).toEqual([
          expect.stringMatching(/^2 files have no tags: /),
          "2 files were tagged",
        ]);
        // The scan that follows may not have begun yet.
        await expect.poll(async () => (await issues()).every(({ files }) => files[0]!.tagged)).toBe(true);
        await untilSettled(host);
        expect(await run("tag-untagged", { dryRun: true })).toMatchObject({ message: "0 files have no tags" });

        const [plan, renamed] = await tryThenRun(root, run, "rename-files");
        expect(plan).toMatch(/^1 file would move, 0 would collide: Night Bell 002.*\.cbz → /);
        expect(renamed).toBe("1 moved, 0 failed");
        expect(Object.keys(await contentsOf(root)).filter((path) => path.startsWith("x/"))).toEqual([]);
        expect(await run("rename-files", { dryRun: true })).toMatchObject({
          message: "0 files would move, 0 would collide",
        });
        expect((await admin.get("/api/schedules")).body).toContainEqual(
          expect.objectContaining({ key: "files.scan", enabled: true }),
        );
      },
    );
  });

  it("find what came and what went, and name what is damaged", async () => {
    await withTools(
      (root) => writeLibrary(root, [{ title: "Night Bell", year: 2016, issues: ["1", "2"], pages: 2 }]),
      async (host, root, run) => {
        const files = async () =>
          (await host.as("admin").get("/api/collection")).body.map((series: { title: string; owned: number }) => [
            series.title,
            series.owned,
          ]);
        await writeComic(join(root, "Moth Patrol", "Moth Patrol 001.cbz"), {
          series: "Moth Patrol",
          number: "1",
          pages: 1,
        });
        expect(await run("scan-library")).toMatchObject({
          state: "done",
          message: "Comics: 1 looked into, 0 moved, 0 gone",
        });
        expect(await run("relink")).toMatchObject({ state: "done", message: "Comics: 3 looked into, 0 moved, 0 gone" });
        expect((await files()).toSorted()).toEqual([
          ["Moth Patrol", 1],
          ["Night Bell", 2],
        ]);

        await rm(join(root, "Moth Patrol"), { recursive: true });
        expect(await tryThenRun(root, run, "remove-ghosts")).toEqual([
          "1 file is gone: Moth Patrol 001.cbz",
          "Comics: 0 looked into, 0 moved, 1 gone",
        ]);
        expect((await files()).filter(([, owned]: [string, number]) => owned > 0)).toEqual([["Night Bell", 2]]);

        const [path] = (await readdir(root, { recursive: true }))
          .filter((name) => name.endsWith(".cbz"))
          .map((name) => join(root, name));
        const bytes = await readFile(path!);
        bytes[60] = bytes[60]! ^ 1;
        await writeFile(path!, bytes);
        expect((await run("verify")).message).toMatch(/^1 of 2 files are damaged: /);

        await rm(root, { recursive: true });
        expect(await run("scan-library")).toMatchObject({
          state: "failed",
          error: "Comics: The library's folder is not there. Nothing was changed.",
        });
        expect((await files()).filter(([, owned]: [string, number]) => owned > 0)).toEqual([["Night Bell", 2]]);
      },
    );
  });

  it(
    "turn a RAR into a CBZ that is the same issue",
    needs(existsSync(corpus), "the shared corpus of samples is not beside the checkout"),
    async () => {
      await withTools(
        async (root) => {
          await mkdir(join(root, "Moth Patrol"));
          await copyFile(join(corpus, "rar5-solid.rar"), join(root, "Moth Patrol", "Moth Patrol 001.cbr"));
        },
        async (host, root, run) => {
          const issueOf = async () =>
            (
              await host
                .as("admin")
                .get(`/api/collection/${(await host.as("admin").get("/api/collection")).body[0].id}`)
            ).body.issues.map((issue: { cvIssueId: number; files: Array<{ name: string; valid: boolean }> }) => [
              issue.cvIssueId,
              issue.files.map(({ name, valid }) => [name, valid]),
            ]);
          const [[id]] = await issueOf();
          const before = (await host.as("admin").get("/api/scan-folder")).body.startedAt;
          const original = await readFile(join(corpus, "rar5-solid.rar"));
          expect(await tryThenRun(root, run, "convert-cbr")).toEqual([
            "1 file is a RAR: Moth Patrol 001.cbr",
            "1 file was converted",
          ]);
          await untilSettled(host, before);
          expect(await issueOf()).toEqual([[id, [["Moth Patrol 001.cbz", true]]]]);
          expect(await readdir(join(root, "Moth Patrol"))).toEqual(["Moth Patrol 001.cbz"]);
          expect((await host.as("admin").get("/api/library/trash")).body.files).toBe(1);
          const [trashed] = (await readdir(join(root, ".longbox-trash"), { recursive: true })).filter((name) =>
            name.endsWith(".cbr"),
          );
          expect((await readFile(join(root, ".longbox-trash", trashed!))).equals(original)).toBe(true);
          expect(await run("verify")).toMatchObject({ message: "1 file is whole" });
          // As after a stop between writing the CBZ and moving the RAR: the CBZ that is there is the copy.
          await copyFile(join(corpus, "rar5-solid.rar"), join(root, "Moth Patrol", "Moth Patrol 001.cbr"));
          await run("scan-library");
          expect(await run("convert-cbr")).toMatchObject({ state: "done", message: "1 file was converted" });
          expect(await readdir(join(root, "Moth Patrol"))).toEqual(["Moth Patrol 001.cbz"]);
        },
      );
    },
  );

  it(
    "leave a RAR alone that cannot be read or whose place is taken",
    needs(existsSync(corpus), "the shared corpus of samples is not beside the checkout"),
    async () => {
      await withTools(
        async (root) => {
          await mkdir(join(root, "Moth Patrol"));
          await copyFile(join(corpus, "rar4.rar"), join(root, "Moth Patrol", "Moth Patrol 001.cbr"));
          await writeComic(join(root, "Moth Patrol", "Moth Patrol 001.cbz"), {
            series: "Moth Patrol",
            number: "1",
            pages: 1,
          });
          await copyFile(join(corpus, "rar5-encrypted.rar"), join(root, "Moth Patrol", "Moth Patrol 002.cbr"));
        },
        async (_, root, run) => {
          const before = await contentsOf(root);
          const { state, message } = await run("convert-cbr");
          expect([state, message]).toEqual([
            "done",
            expect.stringMatching(/^0 files were converted, 1 not: Moth Patrol 001\.cbr: /),
          ]);
          expect(await contentsOf(root)).toEqual(before);
        },
      );
    },
  );
});
