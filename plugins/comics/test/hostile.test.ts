import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { comicEntries, comicInfoXml, seededRandom, writeComic, zip } from "@longbox/test/fixtures";
import tar from "tar-stream";
import { needs } from "@longbox/test/needs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noHelp } from "./support/no-help.js";
import { listTar } from "../src/archives/unpacking/listing.js";
import { TarArchive } from "../src/archives/tar-archive.js";
import { UnreadableArchive } from "../src/archives/unreadable.js";
import { ZipArchive } from "../src/archives/zip-archive.js";
import type { Archive } from "../src/archives/archive.js";
import { startLibrary } from "../../files/test/support/library.js";

const corpus = fileURLToPath(new URL("../../../../shared/corpus/archives/komga/", import.meta.url));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longbox-comics-hostile-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function packTar(entries: ReadonlyMap<string, Uint8Array>): Promise<Buffer> {
  const pack = tar.pack();
  for (const [name, bytes] of entries) pack.entry({ name: name.repeat(name.length > 8 ? 20 : 1) }, Buffer.from(bytes));
  pack.finalize();
  const parts: Buffer[] = [];
  for await (const part of pack) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** Changes a few bytes, mostly where headers and directories are, or cuts the file. */
function damaged(bytes: Buffer, random: ReturnType<typeof seededRandom>): Buffer {
  const copy = Buffer.from(bytes);
  if (random.next() < 0.15) return copy.subarray(0, random.between(0, copy.length));
  for (let change = random.between(1, 6); change > 0; change--) {
    const near = random.pick([
      random.between(0, 600),
      copy.length - random.between(1, 400),
      random.between(0, copy.length - 1),
    ]);
    copy[Math.max(0, Math.min(copy.length - 1, near))] = random.pick([0, 1, 0x7f, 0x80, 0xff, random.between(0, 255)]);
  }
  return copy;
}

const openZip = (path: string) => ZipArchive.open(path, noHelp);
const openTar = (path: string) => TarArchive.open(path, async (tarPath) => listTar(tarPath));

/** @returns whether it could be read to its end */
async function readAll(open: () => Promise<Archive>): Promise<boolean> {
  let archive: Archive | undefined;
  try {
    archive = await open();
    await archive.readTags();
    for (let page = 0; page < archive.pages.length; page++) {
      await archive.readPage(page);
      await archive.readPageBytes(page);
    }
    return true;
  } catch (thrown) {
    if (!(thrown instanceof UnreadableArchive)) throw thrown;
    expect(thrown.message).toMatch(/^The .*\.$|^An entry/);
    return false;
  } finally {
    await archive?.close();
  }
}

describe("damaged archives", () => {
  it("are read, or refused with a reason, whatever is wrong (800 random damages)", async () => {
    const random = seededRandom(77);
    const entries = new Map([
      ...(await comicEntries({ series: "x", number: "1", pages: 3 })),
      ["ComicInfo.xml", Buffer.from(comicInfoXml({ Series: "x", Number: "1" })) as Uint8Array],
    ]);
    const stored = Buffer.from(zip(entries));
    const packed = Buffer.from(zip(entries, { deflate: true }));
    const tarred = await packTar(entries);
    const path = join(folder, "damaged");
    const outcomes = { read: 0, refused: 0 };
    for (let round = 0; round < 800; round++) {
      const [bytes, open] = random.pick([
        [stored, openZip] as const,
        [packed, openZip] as const,
        [tarred, openTar] as const,
      ]);
      await writeFile(path, damaged(bytes, random));
      outcomes[(await readAll(() => open(path))) ? "read" : "refused"] += 1;
    }
    expect(outcomes.read).toBeGreaterThan(50);
    expect(outcomes.refused).toBeGreaterThan(50);
  });

  it(
    "of the formats that are unpacked in a thread do not stop a scan",
    needs(existsSync(corpus), "the shared corpus of samples is not beside the checkout"),
    async () => {
      const random = seededRandom(78);
      const names = ["rar4.rar", "rar5.rar", "rar5-solid.rar", "rar4-solid.rar", "7zip.7z"];
      await using library = await startLibrary({
        plugins: ["archive-rar", "archive-7z"],
        async fill(root) {
          await mkdir(join(root, "x"));
          for (let file = 0; file < 40; file++)
            await writeFile(
              join(root, "x", `x ${file + 1}.cbr`),
              damaged(await readFile(corpus + random.pick(names)), random),
            );
          await writeComic(join(root, "x", "x 99.cbz"), { series: "x", number: "99", pages: 1 });
        },
      });
      const files = await library.files();
      expect(files).toHaveLength(41);
      expect(files.find((file) => file.number === "99")?.valid).toBe(true);
      const refused = files.filter(({ valid }) => !valid);
      expect(refused.length).toBeGreaterThan(5);
      for (const { path, error } of refused) expect([path, error]).toEqual([path, expect.stringMatching(/^The .*\.$/)]);
      const pages = library.host.as("admin");
      expect((await pages.get("/healthz")).status).toBe(200);
    },
  );

  it("that claim more than they hold cost no memory", async () => {
    const bomb = Buffer.from(zip(new Map([["1.jpg", new Uint8Array(200_000_000)]]), { deflate: true }));
    const path = join(folder, "bomb.cbz");
    bomb.writeUInt32LE(1000, bomb.readUInt32LE(bomb.length - 6) + 24);
    await writeFile(path, bomb);
    const before = process.memoryUsage.rss();
    const archive = await ZipArchive.open(path, noHelp);
    await expect(archive.readPageBytes(0)).rejects.toMatchObject({ reason: "lying-size" });
    await archive.close();
    expect(process.memoryUsage.rss() - before).toBeLessThan(50_000_000);
  });
});
