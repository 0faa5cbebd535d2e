import { lstat, mkdir, readFile, readlink, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { FilesContent, FilesEngine } from "@longbox/files/contract";
import { writeComic } from "@longbox/test/fixtures";
import { describe, expect, it } from "vitest";
import { startLibrary } from "./support/library.js";

/** A folder with a comic, a link to it, and a link to a file of the library whose name promises nothing. */
async function fill(root: string): Promise<void> {
  const folder = join(root, "messy");
  await mkdir(join(root, "store"), { recursive: true });
  await writeComic(join(folder, "Moth Patrol 1.cbz"), { series: "Moth Patrol", number: "1", pages: 1 });
  await writeComic(join(root, "store", "data.bin"), { series: "Moth Patrol", number: "3", pages: 1 });
  await symlink("Moth Patrol 1.cbz", join(folder, "Moth Patrol 2.cbz"));
  await symlink("../store/data.bin", join(folder, "Moth Patrol 3.cbz"));
}

describe("links in a library", () => {
  it("lead where they led after a refile, also when that moved with them, and after it was undone", async () => {
    await using library = await startLibrary({ fill });
    const admin = library.host.as("admin");
    const [series] = (await admin.get("/api/collection")).body;
    const places = async () => {
      const files = await library.files();
      const read = await Promise.all(files.map(({ path }) => readFile(join(library.root, path))));
      return { files, same: read[0]!.equals(read[1]!), third: read[2] };
    };
    const before = await places();
    expect(before.files).toHaveLength(3);
    const refiled = await admin.post(`/api/collection/${series.id}/refile`, {});
    expect(refiled.body.plan.map((step: { status: string }) => step.status)).toEqual(["move", "move", "move"]);
    const after = await places();
    expect(after.files.map(({ path }) => path)).not.toEqual(before.files.map(({ path }) => path));
    expect([after.same, after.third]).toEqual([true, before.third]);
    const second = join(library.root, after.files[1]!.path);
    expect((await lstat(second)).isSymbolicLink()).toBe(true);
    expect(await readlink(second)).not.toMatch(/^\//);
    await admin.post(`/api/library/moves/${refiled.body.batchId}/undo`);
    const undone = await places();
    expect(undone.files.map(({ path }) => path)).toEqual(before.files.map(({ path }) => path));
    expect([undone.same, undone.third]).toEqual([true, before.third]);
  });

  it("stay when they are written to: what they lead to is replaced, if it lies in the library", async () => {
    await using library = await startLibrary({ fill });
    const link = join(library.root, "messy", "Moth Patrol 3.cbz");
    const engine = library.host.use(FilesEngine);
    await engine.replaceFile(link, async (file) => void (await file.write("new")));
    expect(await readFile(join(library.root, "store", "data.bin"), "utf8")).toBe("new");
    expect(await readlink(link)).toBe("../store/data.bin");
    await rm(link);
    await symlink("/etc/hostname", link);
    const before = await stat("/etc/hostname");
    const writing = engine.replaceFile(link, async (file) => void (await file.write("stolen")));
    await expect(writing).rejects.toMatchObject({ code: "files/leads-outside" });
    expect((await stat("/etc/hostname")).ino).toBe(before.ino);
  });

  it("that came to lead out of the library after the scan are not handed out", async () => {
    await using library = await startLibrary({ fill });
    const issues = await library.files();
    const third = -issues.find(({ number }) => number === "3")!.cvIssueId;
    const content = library.host.use(FilesContent);
    expect(await content.findFile(third)).toMatchObject({ name: "Moth Patrol 3.cbz" });
    const link = join(library.root, "messy", "Moth Patrol 3.cbz");
    await rm(link);
    await symlink("/etc/passwd", link);
    expect(await content.findFile(third)).toBeUndefined();
    await library.scan({ everything: true });
    expect(await content.findFile(third)).toBeUndefined();
  });
});
