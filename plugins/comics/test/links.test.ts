import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { Pages } from "@longbox/comics/contract";
import { FilesContent } from "@longbox/files/contract";
import { comicEntries, writeComic, zip } from "@longbox/test/fixtures";
import tar from "tar-stream";
import { describe, expect, it } from "vitest";
import { startLibrary } from "../../files/test/support/library.js";
import { scannedPdf } from "./support/pdf-writer.js";

const places = ["Moth Patrol 1.cbz", "Moth Patrol 2.cbt", "Moth Patrol 3", "Moth Patrol 4.cbz"] as const;

/** A zip, a tar, a folder of images and a zip with a large stored page. */
async function fill(folder: string, mark: string): Promise<void> {
  await mkdir(join(folder, places[2]), { recursive: true });
  await writeComic(join(folder, places[0]), { series: mark, number: "1", pages: 2 });
  const pages = await comicEntries({ series: mark, number: "2", pages: 2 });
  const pack = tar.pack();
  for (const [name, bytes] of pages) pack.entry({ name }, Buffer.from(bytes));
  pack.finalize();
  await writeFile(join(folder, places[1]), await buffer(pack));
  for (const [name, bytes] of pages) await writeFile(join(folder, places[2], name), bytes);
  const [[name, first]] = [...pages] as [[string, Uint8Array]];
  const large = Buffer.concat([first, Buffer.alloc(3 * 1024 * 1024, mark)]);
  await writeFile(join(folder, places[3]), zip(new Map([[name, large]])));
}

describe("what lies in a library's place after the scan", () => {
  it("is not read when it is a link that leads out of the library, also of a file that is open", async () => {
    const outside = await mkdtemp(join(tmpdir(), "longbox-outside-"));
    try {
      await fill(outside, "Secret");
      await using library = await startLibrary({ fill: (root) => fill(join(root, "Moth Patrol"), "Moth Patrol") });
      const pages = library.host.use(Pages);
      const issues = (await library.files()).map(({ path, cvIssueId }) => ({ path, issueId: -cvIssueId }));
      expect(issues.map(({ path }) => path)).toEqual(places.map((name) => join("Moth Patrol", name)));
      for (const [index, { path, issueId }] of issues.entries()) {
        if (index % 2 === 0) expect((await pages.findPages(issueId))!.pages.length, path).toBeGreaterThan(0);
        const own = join(library.root, path);
        await rename(own, `${own}.away`);
        await symlink(join(outside, places[index]!), own);
        expect(await pages.findPages(issueId), path).toBeUndefined();
        await expect(pages.readPage(issueId, 0), path).rejects.toMatchObject({ code: "comics/no-pages" });
        await expect(pages.readPageBytes(issueId, 0), path).rejects.toMatchObject({ code: "comics/no-pages" });
        expect((await library.host.as("viewer").get(`/api/issue/${-issueId}/cover`)).status, path).toBe(404);
        expect(await library.host.use(FilesContent).findParts(issueId), path).toBeUndefined();
        await rm(own);
        await symlink(`${places[index]!}.away`, own);
        expect((await pages.findPages(issueId))!.pages.length, path).toBeGreaterThan(0);
      }
    } finally {
      await rm(outside, { recursive: true, force: true });
    }
  });

  it("is not read when it is a link beside a comic that leads out of its folder", async () => {
    const outside = await mkdtemp(join(tmpdir(), "longbox-outside-"));
    try {
      const tags = (series: string) => `<ComicInfo><Series>${series}</Series><Number>1</Number></ComicInfo>`;
      await writeFile(join(outside, "secret.xml"), tags("Secret"));
      await using library = await startLibrary({
        async fill(root) {
          const page = await comicEntries({ series: "", number: "1", pages: 1 });
          for (const [name, target] of [
            ["Moth Patrol", join(outside, "secret.xml")],
            ["Night Bell", "kept.xml"],
          ] as const) {
            await mkdir(join(root, name));
            await writeFile(join(root, name, "kept.xml"), tags("Kept"));
            await writeFile(join(root, name, `${name} 001.cbz`), zip(new Map([...page].slice(0, 1))));
            await symlink(target, join(root, name, `${name} 001.ComicInfo.xml`));
          }
          await mkdir(join(root, "Salt Road"));
          await writeFile(join(outside, "series.json"), `{"metadata":{"name":"Secret"}}`);
          await symlink(join(outside, "series.json"), join(root, "Salt Road", "series.json"));
          await writeFile(join(root, "Salt Road", "Salt Road 001.cbz"), zip(new Map([...page].slice(0, 1))));
        },
      });
      const { body } = await library.host.as("admin").get("/api/collection");
      expect((body as Array<{ title: string }>).map(({ title }) => title).sort()).toEqual([
        "Kept",
        "Moth Patrol",
        "Salt Road",
      ]);
    } finally {
      await rm(outside, { recursive: true, force: true });
    }
  });

  it("is not read when it is such a link among the images of a folder", async () => {
    await using library = await startLibrary({ fill: (root) => fill(join(root, "Moth Patrol"), "Moth Patrol") });
    const issueId = -(await library.files()).find(({ path }) => path.endsWith(places[2]))!.cvIssueId;
    const pages = library.host.use(Pages);
    const folder = join(library.root, "Moth Patrol", places[2]);
    const [first, second] = (await pages.findPages(issueId))!.pages;
    const { content } = await pages.readPage(issueId, 1);
    for (const { name } of [first!, second!]) {
      await rm(join(folder, name));
      await symlink("/etc/passwd", join(folder, name));
    }
    await expect(pages.readPageBytes(issueId, 0)).rejects.toMatchObject({ kind: "not-found" });
    await expect(pages.readPage(issueId, 0)).rejects.toMatchObject({ kind: "not-found" });
    // Also what was asked for before, and is only read now.
    if (content.kind !== "ranges") throw new Error(`The page came as ${content.kind}.`);
    const sent = Readable.from((await content.read(0, 10, AbortSignal.timeout(30_000))) as AsyncIterable<Uint8Array>);
    await expect(sent.toArray()).rejects.toMatchObject({ code: "files/changed-while-sent" });
    expect(await library.host.use(FilesContent).findParts(issueId)).toEqual([]);
  });

  it("is not sent by the address of a page that was known before, whatever opens the file for it", async () => {
    const outside = await mkdtemp(join(tmpdir(), "longbox-outside-"));
    // A page that is inflated while it is sent, and one that is drawn by another process.
    const [deflated, drawn] = ["Moth Patrol 1.cbz", "Moth Patrol 2.pdf"] as const;
    const fillWith = async (folder: string, mark: string) => {
      await mkdir(folder, { recursive: true });
      const [[name, first]] = [...(await comicEntries({ series: mark, number: "1", pages: 1 }))] as [
        [string, Uint8Array],
      ];
      const large = Buffer.concat([first, Buffer.alloc(9 * 1024 * 1024, mark)]);
      await writeFile(join(folder, deflated), zip(new Map([[name, large]]), { deflate: true }));
      await writeFile(join(folder, drawn), await scannedPdf(2));
    };
    try {
      await fillWith(outside, "Secret");
      await using library = await startLibrary({ fill: (root) => fillWith(join(root, "Moth Patrol"), "Moth Patrol") });
      const pages = library.host.use(Pages);
      for (const name of [deflated, drawn]) {
        const issueId = -(await library.files()).find(({ path }) => path.endsWith(name))!.cvIssueId;
        const { validator } = (await pages.findPages(issueId))!;
        const own = join(library.root, "Moth Patrol", name);
        await rename(own, `${own}.away`);
        await symlink(join(outside, name), own);
        await expect(pages.readPage(issueId, 0, validator), name).rejects.toMatchObject({
          code: expect.stringMatching(/^comics\/(changed|no-pages)$/),
        });
        await rm(own);
        await rename(`${own}.away`, own);
        const { content } = await pages.readPage(issueId, 0, validator);
        if (content.kind === "stream") expect(await buffer(content.stream)).not.toContain("Secret");
        else expect(content).toMatchObject({ kind: "file", contentType: "image/jpeg" });
      }
    } finally {
      await rm(outside, { recursive: true, force: true });
    }
  });

  it("is not written to when tags are written", async () => {
    const outside = await mkdtemp(join(tmpdir(), "longbox-outside-"));
    try {
      await fill(outside, "Secret");
      await using library = await startLibrary({
        fill: (root) =>
          writeComic(join(root, "Moth Patrol", places[0]), { series: "Moth Patrol", number: "1", pages: 1 }),
      });
      const admin = library.host.as("admin");
      const own = join(library.root, "Moth Patrol", places[0]);
      const before = await readFile(join(outside, places[0]));
      await rm(own);
      await symlink(join(outside, places[0]), own);
      const [series] = (await admin.get("/api/collection")).body;
      await admin.post(`/api/collection/${series.id}/tag`);
      const state = async () => (await admin.get("/api/tag-files")).body;
      await expect.poll(async () => (await state()).running, { timeout: 30_000 }).toBe(false);
      expect(await state()).toMatchObject({ message: "0 written, 1 not" });
      expect(await readFile(join(outside, places[0]))).toEqual(before);
    } finally {
      await rm(outside, { recursive: true, force: true });
    }
  });
});
