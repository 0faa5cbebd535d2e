import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noHelp } from "./support/no-help.js";
import { ZipFile } from "yazl";
import { ZipArchive } from "../src/archives/zip-archive.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longbox-files-zip-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const jpeg = (text: string) => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from(text)]);

async function written(bytes: Uint8Array): Promise<string> {
  const path = join(folder, `${Math.trunc(performance.now() * 1000)}.cbz`);
  await writeFile(path, bytes);
  return path;
}

async function reading<T>(bytes: Uint8Array, read: (archive: ZipArchive) => Promise<T>): Promise<T> {
  const archive = await ZipArchive.open(await written(bytes), noHelp);
  try {
    return await read(archive);
  } finally {
    await archive.close();
  }
}

const refusal = (bytes: Uint8Array) =>
  reading(bytes, async () => "opened").catch((thrown: { reason?: string }) => thrown.reason);
const pageRefusal = (bytes: Uint8Array) =>
  reading(bytes, (archive) => archive.readPageBytes(0)).catch((thrown: { reason?: string }) => thrown.reason);

/** Where the first central record begins. */
const directoryOf = (bytes: Buffer) => bytes.readUInt32LE(bytes.length - 6);

describe("a ZIP", () => {
  it("lists pages in reading order and leaves out what is none", async () => {
    const names = await reading(
      zipSync({
        "10.jpg": jpeg("ten"),
        "2.jpg": jpeg("two"),
        "ch 1/1.png": jpeg("a"),
        "__MACOSX/1.jpg": jpeg("m"),
        "._2.jpg": jpeg("d"),
        "Thumbs.db": jpeg("t"),
        "empty.jpg": new Uint8Array(),
        "../1.jpg": jpeg("climbing"),
      }),
      async (archive) => archive.pages.map((page) => page.name),
    );
    expect(names).toEqual(["2.jpg", "10.jpg", "ch 1/1.png"]);
  });

  it("gives a stored page as the part of the file where it stands, typed by its bytes", async () => {
    const page = jpeg("as it is");
    const path = await written(zipSync({ "1.png": [page, { level: 0 }] }));
    const archive = await ZipArchive.open(path, noHelp);
    const content = await archive.readPage(0);
    await archive.close();
    expect(content).toMatchObject({ kind: "slice", path, length: page.length, contentType: "image/jpeg" });
    const handle = await open(path);
    const { buffer } = await handle.read(
      Buffer.alloc(page.length),
      0,
      page.length,
      (content as { offset: number }).offset,
    );
    await handle.close();
    expect(buffer).toEqual(page);
  });

  it("unpacks a deflated page and checks it", async () => {
    const page = jpeg("deflate ".repeat(500));
    const { bytes } = await reading(zipSync({ "1.jpg": [page, { level: 9 }] }), (archive) => archive.readPageBytes(0));
    expect(Buffer.from(bytes)).toEqual(page);
  });

  it.each([10, 5_000, 60_000])("reads an archive with %d bytes behind its end", async (length) => {
    const page = jpeg("before");
    const bytes = Buffer.concat([zipSync({ "1.jpg": page }), Buffer.alloc(length, "PK")]);
    expect((await reading(bytes, (archive) => archive.readPageBytes(0))).bytes).toEqual(page);
  });

  it("reads an archive that stands behind other bytes", async () => {
    const page = jpeg("behind");
    const { bytes } = await reading(
      Buffer.concat([Buffer.from("a program that unpacks itself"), zipSync({ "1.jpg": [page, { level: 0 }] })]),
      (archive) => archive.readPageBytes(0),
    );
    expect(Buffer.from(bytes)).toEqual(page);
  });

  it("refuses a file that is cut off", async () => {
    const bytes = zipSync({ "1.jpg": jpeg("whole") });
    expect(await refusal(bytes.subarray(0, bytes.length - 10))).toBe("truncated");
  });

  it("refuses entries that overlap", async () => {
    const bytes = Buffer.from(zipSync({ "1.jpg": [jpeg("one"), { level: 0 }], "2.jpg": [jpeg("two"), { level: 0 }] }));
    const second = bytes.indexOf("PK\x01\x02", directoryOf(bytes) + 4, "latin1");
    bytes.writeUInt32LE(0, second + 42);
    expect(await refusal(bytes)).toBe("overlapping-entries");
  });

  it("refuses a directory that names another number of entries", async () => {
    const bytes = Buffer.from(zipSync({ "1.jpg": jpeg("one") }));
    bytes.writeUInt16LE(7, bytes.length - 12);
    expect(await refusal(bytes)).toBe("damaged");
  });

  it("refuses a page that is larger than it says", async () => {
    const bytes = Buffer.from(zipSync({ "1.jpg": [new Uint8Array(5_000_000), { level: 9 }] }));
    bytes.writeUInt32LE(10, directoryOf(bytes) + 24);
    expect(await pageRefusal(bytes)).toBe("lying-size");
  });

  it("refuses a page whose checksum is wrong", async () => {
    const bytes = Buffer.from(zipSync({ "1.jpg": [jpeg("damaged later"), { level: 0 }] }));
    bytes.writeUInt8(bytes.readUInt8(45) ^ 1, 45);
    expect(await pageRefusal(bytes)).toBe("damaged");
  });

  it("refuses a page that is protected by a password", async () => {
    const bytes = Buffer.from(zipSync({ "1.jpg": [jpeg("secret"), { level: 0 }] }));
    bytes.writeUInt16LE(1, directoryOf(bytes) + 8);
    expect(await pageRefusal(bytes)).toBe("encrypted");
  });

  it("reads large archives' 64-bit sizes and offsets", async () => {
    const page = jpeg("sixty-four");
    const { bytes } = await reading(withZip64(zipSync({ "1.jpg": [page, { level: 0 }] })), (archive) =>
      archive.readPageBytes(0),
    );
    expect(Buffer.from(bytes)).toEqual(page);
  });
});

describe("a ZIP from a program that writes as it goes", () => {
  it.each([{ forceZip64Format: false }, { forceZip64Format: true }])(
    "is read by its directory, sizes behind the data and all (%o)",
    async (options) => {
      const page = jpeg("streamed ".repeat(2000));
      const zip = new ZipFile();
      zip.addReadStream(Readable.from([page.subarray(0, 5000), page.subarray(5000)]), "10.jpg", { compress: true });
      zip.addReadStream(Readable.from([page]), "9.jpg", { compress: false });
      zip.end({ comment: "", ...options });
      const parts: Buffer[] = [];
      for await (const part of zip.outputStream) parts.push(part as Buffer);
      const read = await reading(Buffer.concat(parts), async (archive) => [
        archive.pages.map(({ name }) => name),
        ...(await Promise.all(
          [0, 1].map(async (index) => Buffer.from((await archive.readPageBytes(index)).bytes).equals(page)),
        )),
      ]);
      expect(read).toEqual([["9.jpg", "10.jpg"], true, true]);
    },
  );
});

/** Rewrites a one-entry ZIP so that all its numbers stand in the 64-bit fields. */
function withZip64(plain: Uint8Array): Buffer {
  const bytes = Buffer.from(plain);
  const start = directoryOf(bytes);
  const record = Buffer.from(bytes.subarray(start, bytes.length - 22));
  const extra = Buffer.alloc(28);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(24, 2);
  extra.writeBigUInt64LE(BigInt(record.readUInt32LE(24)), 4);
  extra.writeBigUInt64LE(BigInt(record.readUInt32LE(20)), 12);
  extra.writeBigUInt64LE(BigInt(record.readUInt32LE(42)), 20);
  for (const at of [20, 24, 42]) record.writeUInt32LE(0xffffffff, at);
  record.writeUInt16LE(28, 30);
  const directory = Buffer.concat([record, extra]);
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(44n, 4);
  end64.writeBigUInt64LE(1n, 24);
  end64.writeBigUInt64LE(1n, 32);
  end64.writeBigUInt64LE(BigInt(directory.length), 40);
  end64.writeBigUInt64LE(BigInt(start), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(start + directory.length), 8);
  locator.writeUInt32LE(1, 16);
  const end = Buffer.from(bytes.subarray(bytes.length - 22));
  end.writeUInt16LE(0xffff, 8);
  end.writeUInt16LE(0xffff, 10);
  end.writeUInt32LE(0xffffffff, 12);
  end.writeUInt32LE(0xffffffff, 16);
  return Buffer.concat([bytes.subarray(0, start), directory, end64, locator, end]);
}
