import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { comicEntries, comicInfoXml, drawPage } from "@longbox/test/fixtures";
import sharp from "sharp";
import tar from "tar-stream";
import { needs } from "@longbox/test/needs";
import { beforeAll, afterAll, describe, expect, it } from "vitest";
import { Pages, type PagesContract } from "@longbox/comics/contract";
import { startLibrary, type TestLibrary } from "../../files/test/support/library.js";
import { scannedPdf } from "./support/pdf-writer.js";

const corpus = fileURLToPath(new URL("../../../../shared/corpus/archives/komga/", import.meta.url));

describe(
  "archives of the corpus",
  needs(existsSync(corpus), "the shared corpus of samples is not beside the checkout"),
  () => {
    let library: TestLibrary;
    let files: Awaited<ReturnType<TestLibrary["files"]>>;
    const extensions: Record<string, string> = { rar: "cbr", "7z": "cb7", zip: "cbz" };

    beforeAll(async () => {
      library = await startLibrary({
        plugins: ["archive-rar", "archive-7z"],
        async fill(root) {
          for (const name of (await readdir(corpus)).filter((file) => !file.endsWith(".epub"))) {
            const [base, extension] = name.split(".") as [string, string];
            await mkdir(join(root, base));
            await copyFile(join(corpus, name), join(root, base, `${base}.${extensions[extension]}`));
          }
          // Names lie: this RAR calls itself a ZIP.
          await mkdir(join(root, "liar"));
          await copyFile(join(corpus, "rar5.rar"), join(root, "liar", "liar.cbz"));
        },
      });
      files = await library.files();
    });
    afterAll(async () => library?.[Symbol.asyncDispose]());

    it("are all recognised by their content", () => {
      const readable = files
        .filter((file) => file.valid)
        .map((file) => file.path.split("/")[0])
        .sort();
      expect(readable).toEqual([
        "7zip",
        "liar",
        "rar4",
        "rar4-solid",
        "rar5",
        "rar5-solid",
        "zip",
        "zip-bzip2",
        "zip-copy",
        "zip-deflate64",
        "zip-lzma",
        "zip-ppmd",
      ]);
    });

    it("say why they cannot be read when they are protected", () => {
      const encrypted = files
        .filter((file) => !file.valid)
        .map((file) => [file.path.split("/")[0], file.error])
        .sort();
      const reason = "The archive is protected by a password.";
      expect(encrypted).toEqual([
        ["7zip-encrypted", reason],
        ["rar4-encrypted", reason],
        ["rar5-encrypted", reason],
        ["zip-encrypted", reason],
      ]);
    });

    it("give the same page whatever packed it", async () => {
      const pages = library.host.use<PagesContract>(Pages);
      const images = new Map<string, number>();
      for (const file of files.filter((one) => one.valid)) {
        const page = await pages.readPageBytes(-file.cvIssueId, 0);
        expect(page.contentType, file.path).toBe("image/png");
        const image = Buffer.from(page.bytes).toString("base64");
        images.set(image, (images.get(image) ?? 0) + 1);
      }
      // Two of the archives hold other pictures; all the rest hold one and the same.
      expect(Math.max(...images.values())).toBeGreaterThanOrEqual(10);
    });
  },
);

describe("other ways of keeping pages", () => {
  it("reads a tar, a folder of images, and a PDF of scanned pages", async () => {
    const entries = await comicEntries({ series: "Night Bell", number: "1", pages: 3 });
    await using library = await startLibrary({
      async fill(root) {
        await mkdir(join(root, "Night Bell"));
        await writeFile(join(root, "Night Bell", "Night Bell 001.cbt"), await packTar(entries));
        await mkdir(join(root, "Night Bell", "Night Bell 002"));
        for (const [name, bytes] of entries) await writeFile(join(root, "Night Bell", "Night Bell 002", name), bytes);
        await writeFile(join(root, "Night Bell", "Night Bell 003.pdf"), await scannedPdf(5));
      },
    });
    expect(
      (await library.files()).map(({ path, series, number, pages, valid }) => [path, series, number, pages, valid]),
    ).toEqual([
      ["Night Bell/Night Bell 001.cbt", "Night Bell", "1", 3, true],
      ["Night Bell/Night Bell 002", "Night Bell", "2", 3, true],
      ["Night Bell/Night Bell 003.pdf", "Night Bell", "3", 5, true],
    ]);
    const pages = library.host.use<PagesContract>(Pages);
    const [tarred, loose] = await library.files();
    for (const file of [tarred!, loose!]) {
      const page = await pages.readPageBytes(-file.cvIssueId, 1);
      expect(Buffer.from(page.bytes), file.path).toEqual(Buffer.from(entries.get("002.jpg")!));
    }
    expect((await pages.readPage(-tarred!.cvIssueId, 1)).content.kind).toBe("slice");
    const pdf = (await library.files())[2]!;
    const drawn = await pages.readPageBytes(-pdf.cvIssueId, 1);
    const [image, original] = await Promise.all(
      [drawn.bytes, await drawPage(1, "1", { width: 160, height: 240 })].map((bytes) => sharp(bytes).raw().toBuffer()),
    );
    const apart = image!.reduce((sum, value, at) => sum + Math.abs(value - original![at]!), 0) / image!.length;
    expect(apart).toBeLessThan(4);
    await expect(pages.readPage(-pdf.cvIssueId, 5)).rejects.toMatchObject({ code: "comics/no-such-page" });
  });

  it("reads the tags of a folder of images", async () => {
    await using library = await startLibrary({
      async fill(root) {
        await mkdir(join(root, "loose"));
        for (const [name, bytes] of await comicEntries({ series: "x", number: "1", pages: 2 }))
          await writeFile(join(root, "loose", name), bytes);
        await writeFile(join(root, "loose", "ComicInfo.xml"), comicInfoXml({ Series: "Gravel Saints", Number: "7" }));
      },
    });
    expect(await library.files()).toMatchObject([{ path: "loose", series: "Gravel Saints", number: "7", pages: 2 }]);
  });
});

async function packTar(entries: ReadonlyMap<string, Uint8Array>): Promise<Buffer> {
  const pack = tar.pack();
  for (const [name, bytes] of entries) pack.entry({ name }, Buffer.from(bytes));
  pack.finalize();
  const parts: Buffer[] = [];
  for await (const part of pack) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
