import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { comicEntries, comicInfoXml, drawPage, zip } from "@longbox/test/fixtures";
import { needs } from "@longbox/test/needs";
import sharp from "sharp";
import tar from "tar-stream";
import { describe, expect, it } from "vitest";
import { startLibrary, untilSettled } from "../../files/test/support/library.js";

const folder = "Moth Patrol (2019)";

describe("comics in odd files", () => {
  it("are read where a program or other bytes stand around the archive, and tags go beside them", async () => {
    const pages = await comicEntries({ series: "Moth Patrol", number: "1", pages: 2 });
    pages.delete("ComicInfo.xml");
    const archive = Buffer.from(zip(pages));
    const files = {
      "Moth Patrol 001.cbz": Buffer.concat([Buffer.from("MZ"), Buffer.alloc(700, "x"), archive]),
      "Moth Patrol 002.cbz": Buffer.concat([archive, Buffer.alloc(700)]),
      "Moth Patrol 003.cbz": Buffer.concat([archive, Buffer.alloc(200_000)]),
    };
    await using library = await startLibrary({
      async fill(root) {
        await mkdir(join(root, folder));
        for (const [name, bytes] of Object.entries(files)) await writeFile(join(root, folder, name), bytes);
      },
    });
    expect((await library.files()).map(({ number, pages: count, valid }) => [number, count, valid])).toEqual([
      ["1", 2, true],
      ["2", 2, true],
      ["3", 2, true],
    ]);
    const admin = library.host.as("admin");
    const [{ id }] = (await admin.get("/api/collection")).body;
    const before = (await admin.get("/api/scan-folder")).body.startedAt;
    await admin.post(`/api/collection/${id}/tag`);
    while ((await admin.get("/api/tag-files")).body.running);
    await untilSettled(library.host, before);
    for (const [name, bytes] of Object.entries(files)) {
      expect((await readFile(join(library.root, folder, name))).equals(bytes), name).toBe(true);
      expect(existsSync(join(library.root, folder, name.replace(".cbz", ".ComicInfo.xml"))), name).toBe(true);
    }
  });

  it("are read in a gzip wrapper, a ZIP and a tar, with their tags, and refused where the wrapper is cut off", async () => {
    const pages = await comicEntries({ series: "Moth Patrol", number: "1", pages: 2 });
    pages.set("ComicInfo.xml", Buffer.from(comicInfoXml({ Series: "Moth Patrol", Number: "7", Volume: 2019 })));
    const packed = tar.pack();
    for (const [name, bytes] of pages) if (name !== "ComicInfo.xml") packed.entry({ name }, Buffer.from(bytes));
    packed.finalize();
    const zipped = gzipSync(zip(pages));
    await using library = await startLibrary({
      plugins: ["imaging", "reading", "reader"],
      async fill(root) {
        await mkdir(join(root, folder));
        await writeFile(join(root, folder, "Moth Patrol 001.cbz"), zipped);
        await writeFile(join(root, folder, "Moth Patrol 002.tar.gz"), gzipSync(await buffer(packed)));
        await writeFile(join(root, folder, "Moth Patrol 003.cbz"), zipped.subarray(0, zipped.length / 2));
      },
    });
    const files = await library.files();
    expect(
      files.map(({ path, number, pages: count, valid }) => [path.slice(folder.length + 1), number, count, valid]),
    ).toEqual([
      ["Moth Patrol 001.cbz", "7", 2, true],
      ["Moth Patrol 002.tar.gz", "2", 2, true],
      ["Moth Patrol 003.cbz", "3", 0, false],
    ]);
    for (const { cvIssueId } of files.slice(0, 2)) {
      const page = await library.host.as("viewer").get(`/api/reader/issue/${cvIssueId}/page/1`);
      expect([page.status, page.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    }
  });

  it(
    "are read in an xz wrapper, and refused where it is cut off or asks for too much memory",
    needs(existsSync("/usr/bin/xz"), "xz is not installed"),
    async () => {
      const pages = await comicEntries({ series: "Moth Patrol", number: "1", pages: 2 });
      const packed = (...options: string[]) => execFileSync("/usr/bin/xz", ["-c", ...options], { input: zip(pages) });
      await using library = await startLibrary({
        plugins: ["imaging", "reading", "reader"],
        async fill(root) {
          await mkdir(join(root, folder));
          await writeFile(join(root, folder, "Moth Patrol 001.cbz.xz"), packed("-9"));
          await writeFile(join(root, folder, "Moth Patrol 002.cbz"), packed().subarray(0, -60));
          await writeFile(join(root, folder, "Moth Patrol 003.cbz"), packed("--lzma2=dict=512MiB"));
        },
      });
      const files = await library.files();
      expect(files.map(({ number, pages: count, valid }) => [number, count, valid])).toEqual([
        ["1", 2, true],
        ["2", 0, false],
        ["3", 0, false],
      ]);
      const page = await library.host.as("viewer").get(`/api/reader/issue/${files[0]!.cvIssueId}/page/1`);
      expect([page.status, page.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    },
  );

  it("show TIFF pages as JPEG, and refuse those that cannot be decoded to apps that do not show them", async () => {
    const drawn = await drawPage(1, "1", { width: 200, height: 300 });
    const tiff = await sharp(drawn).tiff().toBuffer();
    const jpeg2000 = Buffer.from("0000000c6a5020200d0a870a00000014667479706a703220", "hex");
    await using library = await startLibrary({
      plugins: ["imaging", "reading", "reader", "opds"],
      async fill(root) {
        await mkdir(join(root, folder));
        const entries = new Map<string, Uint8Array>([
          ["1.tif", tiff],
          ["2.jp2", jpeg2000],
        ]);
        await writeFile(join(root, folder, "Moth Patrol 001.cbz"), zip(entries));
        const unshown = new Map(["1.jp2", "2.jp2"].map((name) => [name, jpeg2000]));
        await writeFile(join(root, folder, "Moth Patrol 002.cbz"), zip(unshown));
      },
    });
    const [shownComic, undecoded] = await library.files();
    const { cvIssueId } = shownComic!;
    const viewer = library.host.as("viewer");
    const page = (number: number, accept: string) =>
      viewer.get(`/api/reader/issue/${cvIssueId}/page/${number}`, { accept });
    const browser = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8";
    const shown = await page(0, browser);
    expect([shown.status, shown.headers.get("content-type")], JSON.stringify(shown.body).slice(0, 300)).toEqual([
      200,
      "image/jpeg",
    ]);
    expect(await sharp(shown.bytes).metadata()).toMatchObject({ format: "jpeg" });
    for (const path of ["", "?w=320"]) {
      const refused = await viewer.get(`/api/reader/issue/${cvIssueId}/page/1${path}`, { accept: browser });
      expect([refused.status, refused.body.code], path).toEqual([404, "comics/page-not-shown"]);
      expect(refused.body.error).toContain("JPEG 2000");
    }
    expect((await page(1, "*/*")).headers.get("content-type")).toBe("image/jp2");
    const covers = [cvIssueId, undecoded!.cvIssueId].map((id) => viewer.get(`/api/opds/issue/${id}/cover`));
    expect((await Promise.all(covers)).map(({ status }) => status)).toEqual([200, 404]);
    expect((await page(1, `image/jp2,${browser}`)).headers.get("content-type")).toBe("image/jp2");
  });
});
