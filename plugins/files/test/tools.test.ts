import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { writeComic, writeLibrary } from "@longbox/test/fixtures";
import { startTestHost, type TestHost } from "@longbox/sdk/testing";
import { describe, expect, it } from "vitest";
import { untilSettled } from "./support/library.js";

const corpus = fileURLToPath(new URL("../../../../shared/corpus/archives/komga/", import.meta.url));

async function withTools(fill: (root: string) => Promise<unknown>, test: (host: TestHost, root: string, run: (tool: string, dryRun?: boolean) => Promise<string>) => Promise<void>): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "longbox-files-tools-"));
  try {
    await fill(root);
    await using host = await startTestHost({ plugins: ["operations", "collection", "files"], settings: { files: { watchFolders: false } } });
    const admin = host.as("admin");
    await admin.post("/api/libraries", { name: "Comics", type: "comic", rootFolder: root });
    await untilSettled(host, "");
    await test(host, root, async (tool, dryRun) => {
      const started = await admin.post(`/api/tools/${tool}`, dryRun === undefined ? {} : { dryRun });
      expect(started.status, JSON.stringify(started.body)).toBeLessThan(300);
      for (let tries = 0; tries < 1000; tries++) {
        const jobs = (await admin.get("/api/jobs")).body as Array<{ id: number; state: string; message?: string; error?: string }>;
        const list = Array.isArray(jobs) ? jobs : (jobs as { jobs: typeof jobs }).jobs;
        const latest = list.reduce((one, other) => (other.id > one.id ? other : one));
        if (latest.state === "done") return latest.message ?? "";
        if (latest.state === "failed") throw new Error(latest.error);
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
      throw new Error("The job did not end.");
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
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
        expect(await run("verify")).toBe("3 files are whole");
        expect(await run("remove-duplicates", true)).toBe("1 copies are redundant");
        expect(await run("remove-duplicates", false)).toBe("1 copies are in the trash");
        expect(await run("tag-untagged", true)).toBe("2 files have no tags");
        expect(await run("tag-untagged", false)).toBe("2 files were tagged");
        await untilSettled(host);
        expect(await run("rename-files", true)).toMatch(/^\d files would move, \d collide$/);
        expect(await run("rename-files", false)).toMatch(/moved, 0 failed$/);
        await rm(join(root, "Night Bell (2016)"), { recursive: true });
        expect(await run("remove-ghosts", true)).toBe("1 files are gone");
        expect(await run("remove-ghosts", false)).toMatch(/1 gone$/);
        const left = (await readdir(root, { recursive: true })).filter((name) => name.endsWith(".cbz") && !name.startsWith(".longbox-trash"));
        const path = join(root, left[0]!);
        const bytes = await readFile(path);
        bytes[60] = bytes[60]! ^ 1;
        await writeFile(path, bytes);
        expect(await run("verify")).toMatch(/^1 of 1 files are damaged/);
        expect((await host.as("admin").get("/api/schedules")).body).toContainEqual(expect.objectContaining({ key: "files.scan", enabled: true }));
      },
    );
  });

  it.skipIf(!existsSync(corpus))("turn a RAR into a CBZ that is the same issue (skipped where ../shared/corpus is missing)", async () => {
    await withTools(
      async (root) => {
        await mkdir(join(root, "Moth Patrol"));
        await copyFile(join(corpus, "rar5-solid.rar"), join(root, "Moth Patrol", "Moth Patrol 001.cbr"));
      },
      async (host, root, run) => {
        const issueOf = async () => (await host.as("admin").get(`/api/collection/${(await host.as("admin").get("/api/collection")).body[0].id}`)).body.issues.map((issue: { cvIssueId: number; files: Array<{ name: string; valid: boolean }> }) => [issue.cvIssueId, issue.files.map(({ name, valid }) => [name, valid])]);
        const [[id]] = await issueOf();
        expect(await run("convert-cbr", true)).toBe("1 files are RARs");
        const before = (await host.as("admin").get("/api/scan-folder")).body.startedAt;
        expect(await run("convert-cbr", false)).toBe("1 files were converted");
        await untilSettled(host, before);
        expect(await issueOf()).toEqual([[id, [["Moth Patrol 001.cbz", true]]]]);
        expect(await readdir(join(root, "Moth Patrol"))).toEqual(["Moth Patrol 001.cbz"]);
        expect((await host.as("admin").get("/api/library/trash")).body.files).toBe(1);
      },
    );
  });
});
