import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sevenZipModule, { type SevenZipModuleFactory } from "7z-wasm";
import { zip } from "@longbox/test/fixtures";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { extract, list, unpackZip } from "../src/seven-zip.js";

// Its types describe an ES module; Node loads it as CommonJS.
const sevenZip = sevenZipModule as unknown as SevenZipModuleFactory;

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "longbox-7z-"))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const pages = new Map([
  ["b/2.jpg", Buffer.from("the second page")],
  ["a/1.jpg", Buffer.from("the first page")],
]);

/** Packs files with 7-Zip. */
async function pack(files: ReadonlyMap<string, Uint8Array>, parameters: readonly string[] = []): Promise<Buffer> {
  const module = await sevenZip({ print: () => undefined, printErr: () => undefined });
  module.FS.mkdir("/in");
  module.FS.chdir("/in");
  for (const [name, bytes] of files) {
    if (name.includes("/")) module.FS.mkdir(name.slice(0, name.indexOf("/")));
    module.FS.writeFile(name, bytes);
  }
  expect(module.callMain(["a", ...parameters, "/made", "."]) ?? 0).toBe(0);
  const made = module.FS.readdir("/").find((name) => name.startsWith("made"));
  return Buffer.from(module.FS.readFile(`/${made}`));
}

async function written(bytes: Buffer): Promise<string> {
  const path = join(folder, "comic.7z");
  await writeFile(path, bytes);
  return path;
}

async function unpacked(path: string, names: readonly string[]): Promise<Record<string, string>> {
  const target = await mkdtemp(join(folder, "out-"));
  await extract({ path, names, folder: target, mostBytes: 10_000 });
  const files = await readdir(target, { recursive: true });
  return Object.fromEntries(
    await Promise.all(files.map(async (name) => [name, await readFile(join(target, name), "utf8")])),
  );
}

describe("a 7z", () => {
  it("lists its entries, and gives them under numbers", async () => {
    const path = await written(await pack(pages));
    const { solid, entries } = await list(path, 10);
    expect(solid).toBe(true);
    expect(entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))).toEqual([
      { name: "a/1.jpg", sizeBytes: 14, encrypted: false },
      { name: "b/2.jpg", sizeBytes: 15, encrypted: false },
    ]);
    expect(await unpacked(path, ["b/2.jpg", "a/1.jpg"])).toEqual({ 0: "the second page", 1: "the first page" });
    expect(await unpacked(path, ["a/1.jpg"])).toEqual({ 0: "the first page" });
  });

  it("gives exactly what is asked for of hundreds of entries", async () => {
    const many = Array.from({ length: 700 }, (_, at) => [`page ${at}.jpg`, Buffer.from(String(at))] as const);
    const path = await written(await pack(new Map([...many, ["notes/read me.txt", Buffer.from("not a page")]])));
    for (const count of [700, 600, 200]) {
      const names = many.slice(0, count).map(([name]) => name);
      expect(
        Object.values(await unpacked(path, names))
          .map(Number)
          .toSorted((one, other) => one - other),
      ).toEqual(names.map((_, at) => at));
    }
  });

  it("is refused with a code when it is encrypted, damaged, cut off or too large", async () => {
    const encrypted = await list(await written(await pack(pages, ["-psecret"])), 10);
    expect(encrypted.entries.map((entry) => entry.encrypted)).toEqual([true, true]);
    await expect(unpacked(join(folder, "comic.7z"), ["a/1.jpg"])).rejects.toMatchObject({ code: "encrypted" });
    await expect(list(await written(await pack(pages, ["-psecret", "-mhe=on"])), 10)).rejects.toMatchObject({
      code: "encrypted",
    });

    const whole = await pack(pages, ["-mx=0"]);
    await expect(list(await written(whole), 1)).rejects.toMatchObject({ code: "too-large" });
    await expect(list(await written(whole.subarray(0, 40)), 10)).rejects.toMatchObject({ code: "damaged" });
    const broken = Buffer.from(whole);
    broken[whole.indexOf("the second")]! ^= 0xff;
    await expect(unpacked(await written(broken), ["b/2.jpg"])).rejects.toMatchObject({ code: "damaged" });
  });

  it("gives no entry that its listing does not name, and none by a path that climbs out", async () => {
    const path = await written(await pack(pages));
    await expect(unpacked(path, ["../../comic.7z"])).rejects.toMatchObject({ code: "damaged" });
    await expect(unpacked(path, ["a"])).rejects.toMatchObject({ code: "damaged" });
  });

  it("ends before more is written than was allowed", async () => {
    const path = await written(await pack(new Map([["1.jpg", Buffer.alloc(3_000_000, 7)]])));
    const target = await mkdtemp(join(folder, "out-"));
    await expect(extract({ path, names: ["1.jpg"], folder: target, mostBytes: 1_000_000 })).rejects.toMatchObject({
      code: "too-large",
    });
    const left = (await readdir(target, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    const bytes = await Promise.all(left.map(({ parentPath, name }) => readFile(join(parentPath, name))));
    // What was reserved and never written reads as zeros.
    expect(bytes.flatMap((part) => [...part]).filter((byte) => byte !== 0).length).toBeLessThanOrEqual(1_000_000);
  });
});

describe("a ZIP of one entry", () => {
  it("is unpacked whatever packed it, and refused when it is damaged", async () => {
    const text = Buffer.from("rain ".repeat(1000));
    for (const method of ["Deflate64", "BZip2", "LZMA", "PPMd"]) {
      const packed = await pack(new Map([["page", text]]), ["-tzip", `-mm=${method}`]);
      expect(Buffer.from(await unpackZip(packed)).equals(text), method).toBe(true);
    }
    const damaged = Buffer.from(zip(new Map([["page", text]])));
    damaged[100]! ^= 0xff;
    await expect(unpackZip(damaged)).rejects.toMatchObject({ code: "damaged" });
  });
});
