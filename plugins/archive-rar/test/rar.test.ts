import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rar } from "@longbox/test/fixtures";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { extract, list } from "../src/rar.js";

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "longbox-rar-"))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const pages = new Map([
  ["b/2.jpg", Buffer.from("the second page")],
  ["a/1.jpg", Buffer.from("the first page")],
]);

async function written(bytes: Buffer): Promise<string> {
  const path = join(folder, "comic.rar");
  await writeFile(path, bytes);
  return path;
}

/** Unpacks into a folder of its own. @returns what lies there afterwards */
async function unpacked(path: string, names: readonly string[], mostBytes = 1000): Promise<Record<string, string>> {
  const target = await mkdtemp(join(folder, "out-"));
  await extract({ path, names, folder: target, mostBytes });
  const files = await readdir(target, { recursive: true });
  return Object.fromEntries(
    await Promise.all(files.map(async (name) => [name, await readFile(join(target, name), "utf8")])),
  );
}

describe("a RAR", () => {
  it("lists its entries, and gives them under numbers", async () => {
    const path = await written(rar(pages));
    expect(await list(path, 10)).toEqual({
      solid: false,
      entries: [
        { name: "b/2.jpg", sizeBytes: 15, encrypted: false },
        { name: "a/1.jpg", sizeBytes: 14, encrypted: false },
      ],
    });
    expect(await unpacked(path, ["a/1.jpg", "b/2.jpg"])).toEqual({ 0: "the first page", 1: "the second page" });
    expect(await unpacked(path, ["b/2.jpg"])).toEqual({ 0: "the second page" });
  });

  it("writes nothing outside of the folder, whatever an entry is called", async () => {
    const names = ["../../out.jpg", "/tmp/longbox-rar-out.jpg", "a\\..\\..\\out.jpg", "x".repeat(500)];
    const path = await written(rar(new Map(names.map((name) => [name, Buffer.from("page")]))));
    const listed = (await list(path, 10)).entries.map(({ name }) => name);
    expect(listed).toHaveLength(names.length);
    expect(await unpacked(path, listed)).toEqual({ 0: "page", 1: "page", 2: "page", 3: "page" });
    expect((await readdir(folder)).filter((name) => !name.startsWith("out-"))).toEqual(["comic.rar"]);
    await expect(readFile("/tmp/longbox-rar-out.jpg")).rejects.toThrow(/ENOENT/);
  });

  it("is refused with a code when it is encrypted, a part, damaged, cut off or too large", async () => {
    const encrypted = await list(await written(rar(pages, { encrypted: true })), 10);
    expect(encrypted.entries.map((entry) => entry.encrypted)).toEqual([true, true]);
    await expect(list(await written(rar(pages, { volume: true })), 10)).rejects.toMatchObject({ code: "unsupported" });
    await expect(list(await written(rar(pages)), 1)).rejects.toMatchObject({ code: "too-large" });
    await expect(list(await written(Buffer.from("Rar!\x1a\x07\x00 and nothing")), 10)).rejects.toMatchObject({
      code: "damaged",
    });

    const whole = rar(pages);
    const broken = Buffer.from(whole);
    broken[whole.indexOf("the second")]! ^= 0xff;
    await expect(unpacked(await written(broken), ["b/2.jpg"])).rejects.toMatchObject({ code: "damaged" });
    const cut = await written(whole.subarray(0, whole.indexOf("a/1.jpg") - 20));
    await expect(unpacked(cut, ["b/2.jpg", "a/1.jpg"])).rejects.toMatchObject({
      code: expect.stringMatching(/^(truncated|damaged)$/),
    });
  });

  it("ends before more is written than was allowed", async () => {
    const path = await written(rar(new Map([["1.jpg", Buffer.alloc(3_000_000, 7)]])));
    const target = await mkdtemp(join(folder, "out-"));
    await expect(extract({ path, names: ["1.jpg"], folder: target, mostBytes: 1_000_000 })).rejects.toMatchObject({
      code: "too-large",
    });
    const left = await Promise.all((await readdir(target)).map((name) => readFile(join(target, name))));
    expect(left.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(1_000_000);
  });
});
