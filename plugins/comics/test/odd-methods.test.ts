import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Pages, type PagesContract } from "@longbox/comics/contract";
import { comicInfoXml, drawPage } from "@longbox/test/fixtures";
import sevenZipModule, { type SevenZipModuleFactory } from "7z-wasm";
import { unzipSync } from "fflate";
import sharp from "sharp";
import { needs } from "@longbox/test/needs";
import { describe, expect, it } from "vitest";
import { readZipDirectory } from "../src/archives/zip-directory.js";
import { parseSmall } from "../src/archives/byte-reading.js";
import { startLibrary, untilSettled, type TestLibrary } from "../../files/test/support/library.js";

// Its types describe an ES module; Node loads it as CommonJS.
const sevenZip = sevenZipModule as unknown as SevenZipModuleFactory;

/** What ZIPs may be packed by beside deflate: the name that 7-Zip has for it, and its number in the directory. */
const methods = { Deflate64: 9, BZip2: 12, LZMA: 14, PPMd: 98 } as const;
const python = spawnSync("python3", ["-c", "import bz2, lzma, zipfile"]).status === 0;
const withPython = `
import sys, zipfile
folder, target, method = sys.argv[1:]
with zipfile.ZipFile(target, "w", getattr(zipfile, method)) as archive:
    for name in ("001.png", "002.png", "ComicInfo.xml"):
        archive.write(folder + "/" + name, name)
`;

/** Pages that become smaller whatever packs them: drawings as PNG without its own compression. */
async function writePages(folder: string, number: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const page of [1, 2])
    await writeFile(
      join(folder, `00${page}.png`),
      await sharp(await drawPage(page, number, { width: 200, height: 300 }))
        .png({ compressionLevel: 0 })
        .toBuffer(),
    );
  await writeFile(
    join(folder, "ComicInfo.xml"),
    comicInfoXml({ Series: "Night Bell", Number: number, Imprint: "Lamplight", Summary: "rain ".repeat(200) }),
  );
}

async function packWithSevenZip(folder: string, target: string, method: keyof typeof methods): Promise<void> {
  const module = await sevenZip({ print: () => undefined, printErr: () => undefined });
  module.FS.mkdir("/in");
  module.FS.mount(module.NODEFS, { root: folder }, "/in");
  module.FS.chdir("/in");
  expect(
    module.callMain(["a", "-tzip", `-mm=${method}`, "/made.zip", "001.png", "002.png", "ComicInfo.xml"]) ?? 0,
  ).toBe(0);
  await writeFile(target, module.FS.readFile("/made.zip"));
}

/** The methods that the directory of an archive names. */
async function methodsIn(path: string): Promise<number[]> {
  const handle = await open(path, "r");
  try {
    const { entries } = (await parseSmall(readZipDirectory((await handle.stat()).size), handle))!;
    return [...new Set(entries.map(({ method }) => method))];
  } finally {
    await handle.close();
  }
}

/** Writes tags into every file; values that are not known otherwise stay as they were. */
async function expectTagsKept(
  { host }: TestLibrary,
  files: ReadonlyArray<{ path: string; number: string }>,
): Promise<void> {
  const admin = host.as("admin");
  const [series] = (await admin.get("/api/collection")).body;
  const before = (await admin.get("/api/scan-folder")).body.startedAt;
  await admin.post(`/api/collection/${series.id}/tag`, {});
  await untilSettled(host, before);
  expect((await admin.get("/api/tag-files")).body).toMatchObject({
    running: false,
    message: `${files.length} written, 0 not`,
  });
  const { issues } = (await admin.get(`/api/collection/${series.id}`)).body;
  for (const {
    files: [file],
  } of issues) {
    const text = new TextDecoder().decode(
      unzipSync(await readFile(file.path), { filter: ({ name }) => name === "ComicInfo.xml" })["ComicInfo.xml"],
    );
    expect(text).toContain("<Imprint>Lamplight</Imprint>");
  }
}

/** Packs two pages and tags by each way, and expects them back from the server. */
async function expectReadable(
  ways: ReadonlyArray<{ method: number; pack: (folder: string, target: string) => Promise<void> | void }>,
): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), "longbox-comics-odd-"));
  try {
    await using library = await startLibrary({
      plugins: ["archive-7z"],
      async fill(root) {
        await mkdir(join(root, "mixed"));
        for (const [index, { method, pack }] of ways.entries()) {
          const target = join(root, "mixed", `${index + 1}.cbz`);
          await writePages(join(work, `${index + 1}`), `${index + 1}`);
          await pack(join(work, `${index + 1}`), target);
          expect(await methodsIn(target)).toEqual([method]);
        }
      },
    });
    const files = await library.files();
    expect(files.map(({ series, number, pages, valid }) => [series, number, pages, valid])).toEqual(
      ways.map((_, index) => ["Night Bell", `${index + 1}`, 2, true]),
    );
    const pages = library.host.use<PagesContract>(Pages);
    for (const { cvIssueId, path } of files) {
      for (const page of [1, 0]) {
        const { bytes, contentType } = await pages.readPageBytes(-cvIssueId, page);
        expect(contentType).toBe("image/png");
        expect(
          Buffer.from(bytes).equals(await readFile(join(work, basename(path, ".cbz"), `00${page + 1}.png`))),
          `${path}, page ${page}`,
        ).toBe(true);
      }
    }
    await expectTagsKept(library, files);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

describe("ZIPs that are packed by a method Node does not know", () => {
  it("are read, their tags too: deflate64, bzip2, LZMA and PPMd by 7-Zip", async () => {
    const names = Object.keys(methods) as Array<keyof typeof methods>;
    await expectReadable(
      names.map((name) => ({
        method: methods[name],
        pack: (folder, target) => packWithSevenZip(folder, target, name),
      })),
    );
  });

  it("are read: bzip2 and LZMA by Python", needs(python, "python3 is not installed"), async () => {
    const by = (method: string) => (folder: string, target: string) =>
      void execFileSync("python3", ["-c", withPython, folder, target, method]);
    await expectReadable([
      { method: methods.BZip2, pack: by("ZIP_BZIP2") },
      { method: methods.LZMA, pack: by("ZIP_LZMA") },
    ]);
  });

  it("are refused where a page is damaged or not as large as the directory says, and the other page is read still", async () => {
    const work = await mkdtemp(join(tmpdir(), "longbox-comics-odd-"));
    try {
      await writePages(work, "1");
      await using library = await startLibrary({
        plugins: ["archive-7z"],
        async fill(root) {
          await mkdir(join(root, "broken"));
          for (const [index, name] of (Object.keys(methods) as Array<keyof typeof methods>).entries()) {
            const good = join(work, `${name}.zip`);
            await packWithSevenZip(work, good, name);
            const bytes = await readFile(good);
            const damaged = Buffer.from(bytes);
            damaged.fill(0x55, 200, 400);
            await writeFile(join(root, "broken", `Night Bell ${index * 2 + 1}.cbz`), damaged);
            const lying = Buffer.from(bytes);
            // The uncompressed size of the first entry: in its own header, and in the directory.
            lying.writeUInt32LE(1000, 22);
            lying.writeUInt32LE(1000, lying.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24);
            await writeFile(join(root, "broken", `Night Bell ${index * 2 + 2}.cbz`), lying);
          }
        },
      });
      const files = await library.files();
      expect(files).toHaveLength(8);
      const pages = library.host.use<PagesContract>(Pages);
      for (const { cvIssueId, path } of files) {
        await expect(pages.readPageBytes(-cvIssueId, 0), path).rejects.toMatchObject({ code: "comics/unreadable" });
        expect(
          Buffer.from((await pages.readPageBytes(-cvIssueId, 1)).bytes).equals(await readFile(join(work, "002.png"))),
          path,
        ).toBe(true);
      }
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  });
});
