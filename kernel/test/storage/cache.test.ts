import { readdir, readFile, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openFileCache } from "../../dist/storage/owners/file-cache.js";
import { openStoring, temporaryFolder } from "./storage-folder.js";

const tenBytes = async () => Buffer.alloc(10, 1);

describe("a file cache", () => {
  it("makes a file once, however many ask at the same time", async () => {
    await using folder = await temporaryFolder();
    const cache = await openFileCache(folder.path, { maxBytes: 1000 });
    let made = 0;
    const paths = await Promise.all(
      Array.from({ length: 20 }, () => cache.fetch("cover/1?w=200", async () => Buffer.from(`made ${(made += 1)}`))),
    );
    expect({ made, same: new Set(paths).size, text: await readFile(paths[0] as string, "utf8") }).toEqual({
      made: 1,
      same: 1,
      text: "made 1",
    });
    expect(await cache.find("cover/1?w=200")).toBe(paths[0]);
  });

  it("stays under its limit by dropping what was used longest ago", async () => {
    await using folder = await temporaryFolder();
    const cache = await openFileCache(folder.path, { maxBytes: 35 });
    for (const key of ["a", "b", "c"]) await cache.fetch(key, tenBytes);
    await cache.find("a");
    await cache.fetch("d", tenBytes);
    const kept = await Promise.all(["a", "b", "c", "d"].map(async (key) => ((await cache.find(key)) ? key : "")));
    expect({ kept, size: cache.sizeBytes() }).toEqual({ kept: ["a", "", "c", "d"], size: 30 });
  });

  it("gives even a file that is too large, and drops it for the next", async () => {
    await using folder = await temporaryFolder();
    const cache = await openFileCache(folder.path, { maxBytes: 15 });
    const path = await cache.fetch("large", async () => Buffer.alloc(100));
    expect((await readFile(path)).byteLength).toBe(100);
    await cache.fetch("small", tenBytes);
    expect({ large: await cache.find("large"), size: cache.sizeBytes() }).toEqual({ large: undefined, size: 10 });
  });

  it("takes a file by moving it, and deletes one whose key it has", async () => {
    await using folder = await temporaryFolder();
    const cache = await openFileCache(join(folder.path, "cache"), { maxBytes: 25 });
    const given = async (name: string, text: string) => {
      await writeFile(join(folder.path, name), text);
      return join(folder.path, name);
    };
    const first = await given("first", "0123456789");
    const { ino } = await stat(first);
    const kept = await cache.take("a", first);
    expect({ text: await readFile(kept, "utf8"), same: (await stat(kept)).ino === ino }).toEqual({
      text: "0123456789",
      same: true,
    });
    const two = await Promise.all([given("second", "second"), given("third", "third")]);
    const paths = await Promise.all(two.map((path) => cache.take("b", path)));
    expect(new Set(paths).size).toBe(1);
    expect(await cache.take("a", await given("fourth", "another"))).toBe(kept);
    expect({ left: await readdir(folder.path), size: cache.sizeBytes() }).toEqual({ left: ["cache"], size: 16 });
    await cache.take("c", await given("fifth", "0123456789"));
    expect({ a: await cache.find("a"), size: cache.sizeBytes() }).toEqual({ a: kept, size: 20 });
  });

  it("remembers its files, and which was used last, over a restart", async () => {
    await using folder = await temporaryFolder();
    const before = await openFileCache(folder.path, { maxBytes: 1000 });
    const old = await before.fetch("old", tenBytes);
    await before.fetch("young", tenBytes);
    await utimes(old, new Date(0), new Date(0));
    const after = await openFileCache(folder.path, { maxBytes: 15 });
    expect({ old: await after.find("old"), size: after.sizeBytes() }).toEqual({ old: undefined, size: 10 });
  });

  it("makes a file again that lost bytes, or was half written, when the power went", async () => {
    await using folder = await temporaryFolder();
    const before = await openFileCache(folder.path, { maxBytes: 1000 });
    for (const key of ["short", "empty", "whole"]) await before.fetch(key, tenBytes);
    await truncate((await before.find("short"))!, 5);
    await truncate((await before.find("empty"))!, 0);
    await writeFile(`${(await before.find("whole"))!}.half.new`, "half");
    const after = await openFileCache(folder.path, { maxBytes: 1000 });
    expect([await after.find("short"), await after.find("empty"), after.sizeBytes()]).toEqual([
      undefined,
      undefined,
      10,
    ]);
    expect((await readFile(await after.fetch("short", tenBytes))).byteLength).toBe(10);
  });

  it("makes a file again that was removed, and tries again when the making failed", async () => {
    await using folder = await temporaryFolder();
    const cache = await openFileCache(folder.path, { maxBytes: 1000 });
    await rm(await cache.fetch("a", tenBytes));
    expect(await cache.find("a")).toBeUndefined();
    await expect(cache.fetch("b", async () => Promise.reject(new Error("no picture")))).rejects.toThrow("no picture");
    await rm(folder.path, { recursive: true });
    expect((await readFile(await cache.fetch("b", tenBytes))).byteLength).toBe(10);
    await cache.clear();
    expect(cache.sizeBytes()).toBe(0);
  });

  it("takes any text for a key without leaving its folder", async () => {
    await using folder = await temporaryFolder();
    const cache = await openFileCache(join(folder.path, "cache"), { maxBytes: 1000 });
    expect(await cache.fetch("../../../etc/passwd", tenBytes)).toMatch(
      new RegExp(`^${join(folder.path, "cache")}/[0-9a-f]{2}/[0-9a-f]{64}-10$`),
    );
  });

  it("is cleared of files that were not used for long, whether its owner is open or gone", async () => {
    await using opened = await openStoring("sqlite");
    const gone = await (await opened.storing.open("gone")).cache("covers", { maxBytes: 1000 });
    await utimes(await gone.fetch("old", tenBytes), new Date(0), new Date(0));
    const storing = await opened.reopen();
    const cache = await (await storing.open("shelves")).cache("covers", { maxBytes: 1000 });
    await cache.fetch("young", tenBytes);
    expect(await storing.tidyCaches(new Date(Date.now() - 86_400_000))).toEqual({ files: 1, freedBytes: 10 });
    expect(await cache.find("young")).toBeDefined();
    expect(await storing.tidyCaches(new Date(Date.now() + 1))).toEqual({ files: 1, freedBytes: 10 });
    expect({ young: await cache.find("young"), size: cache.sizeBytes() }).toEqual({ young: undefined, size: 0 });
  });
});
