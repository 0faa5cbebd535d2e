import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  imageTypeOf,
  imageTypeOfFile,
  ImageTypes,
  inBatches,
  isWithin,
  openRegularFile,
  pause,
  readBounded,
  readFileBounded,
  readSmallFile,
  resolveWithin,
  within,
} from "@longbox/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longbox-reading-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("what others wrote", () => {
  it("reads regular files only, and no more of them than the limit", async () => {
    const file = join(folder, "file");
    const pipe = join(folder, "pipe");
    await writeFile(file, "0123456789");
    execFileSync("mkfifo", [pipe]);
    expect((await readFileBounded(file, 10)).toString()).toBe("0123456789");
    await expect(readFileBounded(file, 9)).rejects.toMatchObject({ kind: "too-large", code: "kernel/too-many-bytes" });
    await expect(readFileBounded(folder, 10)).rejects.toMatchObject({ code: "kernel/not-a-file" });
    await expect(openRegularFile(pipe)).rejects.toMatchObject({ code: "kernel/not-a-file" });
  });

  it("reads small regular files at once, in threads, and follows links within their folder only", async () => {
    const own = join(folder, "own");
    await mkdir(join(own, "inner"), { recursive: true });
    await writeFile(join(folder, "elsewhere"), "outside");
    await writeFile(join(own, "inner", "file"), "0123456789");
    await symlink(join(own, "inner", "file"), join(own, "near"));
    await symlink(join(folder, "elsewhere"), join(own, "far"));
    execFileSync("mkfifo", [join(own, "pipe")]);
    expect(readSmallFile(join(own, "near"), 10)?.toString()).toBe("0123456789");
    expect(readSmallFile(join(own, "near"), 9)).toBeUndefined();
    for (const name of ["far", "pipe", "inner", "missing"]) expect(readSmallFile(join(own, name), 10)).toBeUndefined();
  });

  it("gives a stream up as soon as there is more than the limit", async () => {
    let taken = 0;
    const endless = (function* () {
      for (;;) yield Buffer.alloc(10, (taken += 10));
    })();
    await expect(readBounded(endless, 95)).rejects.toMatchObject({ code: "kernel/too-many-bytes" });
    expect(taken).toBe(100);
  });

  it("knows whether a path lies in a folder, by its text and with links followed", async () => {
    expect(isWithin("/books", "/books/a")).toBe(true);
    expect(isWithin("/books", "/books")).toBe(true);
    expect(isWithin("/books", "/books/..a")).toBe(true);
    expect(isWithin("/books", "/books/../a")).toBe(false);
    expect(isWithin("/books", "/bookshop")).toBe(false);
    const shelf = join(folder, "shelf");
    await mkdir(shelf);
    await writeFile(join(shelf, "inside"), "");
    await symlink(join(folder, "file"), join(shelf, "outside"));
    expect(await resolveWithin(shelf, join(shelf, "inside"))).toMatch(/shelf\/inside$/);
    expect(await resolveWithin(shelf, join(shelf, "outside"))).toBeUndefined();
    expect(await resolveWithin(shelf, join(shelf, "missing"))).toBeUndefined();
  });

  it.each([
    ["image/jpeg", Buffer.from("ffd8ffe000104a46", "hex")],
    ["image/png", Buffer.from("89504e470d0a1a0a0000000d", "hex")],
    ["image/webp", Buffer.from("RIFF\0\0\0\0WEBPVP8 ", "latin1")],
    ["image/avif", Buffer.from("\0\0\0\x1cftypmif1\0\0\0\0avif", "latin1")],
    [undefined, Buffer.from("RIFF\0\0\0\0WAVEfmt ", "latin1")],
    [undefined, Buffer.from("<svg/>")],
    [undefined, Buffer.alloc(0)],
  ])("knows images by their first bytes: %s", (type, head) => {
    expect(imageTypeOf(head)).toBe(type);
  });

  it("opens a file for its type once, or never where its bytes were at hand", async () => {
    const [written, found, text] = ["written", "found", "text"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const types = new ImageTypes();
    await writeFile(found, Buffer.from("GIF89a…"));
    await writeFile(text, "text");
    types.note(written, Buffer.from("\xff\xd8\xff…", "latin1"));
    expect(await types.of(written)).toBe("image/jpeg");
    expect(await types.of(found)).toBe(await imageTypeOfFile(found));
    expect(await types.of(text)).toBe("application/octet-stream");
    await rm(found);
    expect(await types.of(found)).toBe("image/gif");
    expect(await types.of(join(folder, "absent"))).toBe("application/octet-stream");
    await expect(types.of(folder)).rejects.toThrow("EISDIR");
  });

  it("remembers the types of the files that were used last", async () => {
    const types = new ImageTypes();
    for (let file = 0; file <= 2000; file++) types.note(join(folder, `file ${file}`), Buffer.from("GIF89a"));
    const typeOf = (file: number) => types.of(join(folder, `file ${file}`));
    expect(await typeOf(0)).toBe("application/octet-stream");
    expect(await typeOf(1)).toBe("image/gif");
    types.note(join(folder, "one more"), Buffer.from("GIF89a"));
    expect([await typeOf(1), await typeOf(2)]).toEqual(["image/gif", "application/octet-stream"]);
  });
});

describe("waiting", () => {
  it("waits no longer than its limit, or than its signal lets it", async () => {
    const never = new Promise<never>(() => {});
    const failure = () => new Error("too late");
    expect(await within(Promise.resolve(5), { limitMs: 60_000, failure })).toBe(5);
    await expect(within(never, { limitMs: 1, failure })).rejects.toThrow("too late");
    const stopped = AbortSignal.abort(new Error("stopped"));
    await expect(within(never, { limitMs: 60_000, failure, signal: stopped })).rejects.toThrow("stopped");
    await expect(pause(60_000, stopped)).rejects.toThrow();
  });
});

it("cuts lists into parts of a size, the last of which may be smaller", () => {
  expect([...inBatches([1, 2, 3, 4, 5], 2)]).toEqual([[1, 2], [3, 4], [5]]);
  expect([...inBatches([], 2)]).toEqual([]);
});
