import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FilesEngine } from "@longbox/files/contract";
import { describe, expect, it } from "vitest";
import { startLibrary, untilSettled, type TestLibrary } from "./support/library.js";
import { brokenFormat, markedFormat, textFormat, textTypes } from "./support/text-plugin.js";

const unreadable = (library: TestLibrary) =>
  library
    .files()
    .then((files) => Object.fromEntries(files.filter(({ valid }) => !valid).map(({ path, error }) => [path, error])));

describe("a library of a type that another plugin brings", () => {
  it("is read by the format that another plugin adds", async () => {
    await using library = await startLibrary({
      type: "text",
      plugins: [textTypes, textFormat],
      async fill(root) {
        await writeFile(join(root, "a.txt"), "# 3 The Salt Road");
        await writeFile(join(root, "a.pdf"), "%PDF is none of the format's endings");
        await writeFile(join(root, "b.txt"), "%PDF");
        await mkdir(join(root, "Parts"));
        for (const name of ["parts.lst", "one.txt", "two.txt"]) await writeFile(join(root, "Parts", name), "# 7 Part");
      },
    });
    expect((await library.files()).map(({ path, series, number, valid }) => [path, series, number, valid])).toEqual([
      ["Parts", "Low Tides", "1", true],
      ["a.txt", "Low Tides", "3", true],
      ["b.txt", expect.any(String), expect.any(String), false],
    ]);
    const [record] = await library.host.use(FilesEngine).findRead([join(library.root, "a.txt")]);
    expect(record).toMatchObject({ format: "text", tagged: true, details: { words: 3 } });
  });

  it("says so when no plugin reads it, and is read as soon as one does", async () => {
    await using library = await startLibrary({
      type: "text",
      plugins: [textTypes, textFormat],
      fill: (root) => writeFile(join(root, "a.txt"), "# 1 One"),
    });
    await library.host.disable("text-format");
    await writeFile(join(library.root, "b.txt"), "# 2 Two");
    await rm(join(library.root, "a.txt"));
    expect(await library.scan()).toMatchObject({
      message: "Comics: no plugin that is running reads files of such libraries",
    });
    expect((await library.files()).map(({ path, valid }) => [path, valid])).toEqual([["a.txt", true]]);
    await library.host.enable("text-format");
    await expect
      .poll(async () => (await library.files()).map(({ path }) => path), { timeout: 20_000, interval: 50 })
      .toEqual(["b.txt"]);
  });

  it("reads a file that no format could read once another format comes", async () => {
    await using library = await startLibrary({
      type: "text",
      plugins: [textTypes, textFormat, markedFormat],
      fill: (root) => writeFile(join(root, "a.txt"), "%PDF"),
    });
    await library.host.disable("marked-format");
    await library.scan({ everything: true });
    const numbers = async () => (await library.files()).map(({ number, valid }) => [number, valid]);
    // Its format is gone: the text format does not know it, and what was read of it stays.
    expect(await numbers()).toEqual([["5", true]]);
    await writeFile(join(library.root, "b.txt"), "%PDF");
    await library.scan();
    expect(await unreadable(library)).toEqual({
      "b.txt": "The file has none of the formats that can be read here.",
    });
    await library.host.enable("marked-format");
    await expect.poll(() => unreadable(library), { timeout: 20_000, interval: 50 }).toEqual({});
  });

  it("leaves the files of a format alone whose inspector cannot be used", async () => {
    await using library = await startLibrary({
      type: "text",
      plugins: [textTypes, textFormat, brokenFormat],
      async fill(root) {
        await writeFile(join(root, "a.txt"), "# 1 One");
        await writeFile(join(root, "b.odd"), "# 2 Two");
      },
    });
    expect((await library.files()).map(({ path }) => path)).toEqual(["a.txt"]);
  });
});

describe("an inspector that misbehaves", () => {
  it("makes one unreadable file of each file that it fails on, and nothing else", { timeout: 120_000 }, async () => {
    await using library = await startLibrary({
      type: "text",
      plugins: [textTypes, textFormat],
      settings: { inspectionSeconds: 1 },
      async fill(root) {
        for (const [index, word] of ["throw", "hang", "#", "wait", "exit", "nonsense", "large"].entries())
          await writeFile(join(root, `${word === "#" ? "good" : word}.txt`), `${word} ${index + 1} Text`);
        await writeFile(join(root, "long.txt"), "long 8 Text");
      },
    });
    expect(await unreadable(library)).toEqual({
      "throw.txt": "The file could not be read.",
      "hang.txt": "Reading the file takes too long.",
      "wait.txt": "Reading the file takes too long.",
      "exit.txt": "The file cannot be read: it stops whatever reads it.",
      "nonsense.txt": "The file could not be read.",
      "large.txt": "The file could not be read.",
    });
    const good = (await library.files()).filter(({ valid }) => valid);
    expect(good.map(({ path, number }) => [path, number])).toEqual([
      ["good.txt", "3"],
      ["long.txt", "8"],
    ]);
    const plugins = (await library.host.as("admin").get("/api/plugins")).body as Array<{ name: string; state: string }>;
    expect(plugins.filter(({ state }) => state !== "active").map(({ name }) => name)).toEqual([]);
    // Nothing of that is tried again while the files stay as they are.
    expect(await library.scan()).toMatchObject({ message: "Comics: 0 looked into, 0 moved, 0 gone" });
    await writeFile(join(library.root, "hang.txt"), "# 2 Better now");
    await library.scan();
    expect(Object.keys(await unreadable(library))).not.toContain("hang.txt");
    await untilSettled(library.host);
  });

  it(
    "takes its thread with it when it does not return, as the end of its plugin does",
    { timeout: 120_000 },
    async () => {
      await using library = await startLibrary({
        type: "text",
        plugins: [textTypes, textFormat],
        settings: { inspectionSeconds: 1 },
        fill: (root) => writeFile(join(root, "a.txt"), "where 1 Text"),
      });
      /** The thread in which a file was read, which its number says. */
      const readIn = async (name: string, content = "where 1 Text") => {
        await writeFile(join(library.root, name), content);
        await library.scan();
        return (await library.files()).find(({ path }) => path === name)?.number;
      };
      const first = await readIn("b.txt");
      expect(await readIn("c.txt")).toBe(first);
      await readIn("wait.txt", "wait 2 Text");
      const second = await readIn("d.txt");
      expect(second).not.toBe(first);
      await library.host.disable("text-format");
      await library.host.enable("text-format");
      expect(await readIn("e.txt")).not.toBe(second);
    },
  );

  it("is ended when it takes all memory", { timeout: 120_000 }, async () => {
    await using library = await startLibrary({
      type: "text",
      plugins: [textTypes, textFormat],
      settings: { inspectionSeconds: 60 },
      fill: (root) => writeFile(join(root, "memory.txt"), "memory 1 Text"),
    });
    expect(await unreadable(library)).toEqual({ "memory.txt": "Reading the file takes too much memory." });
  });

  it("is tried once for each file when everything is read again", { timeout: 240_000 }, async () => {
    await using library = await startLibrary({
      type: "text",
      plugins: [textTypes, textFormat],
      settings: { inspectionSeconds: 1 },
      async fill(root) {
        await writeFile(join(root, "hang.txt"), "hang 1 Text");
        await writeFile(join(root, "good.txt"), "# 2 Good");
      },
    });
    expect(await library.scan({ everything: true })).toMatchObject({
      message: "Comics: 2 looked into, 0 moved, 0 gone",
    });
  });
});
