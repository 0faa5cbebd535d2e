import { mkdirSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { needsLongRun } from "@longbox/test/needs";
import { describe, expect, it } from "vitest";
import { unpackList } from "../src/scan/messages.js";
import { makeFolder, scanHere } from "./support/scanning-here.js";

/** To make and remove 140,000 folders takes a minute. */
const manyFolders = { ...needsLongRun, timeout: 600_000 };

describe("what a scan has read", () => {
  it("goes out in parts that are soon parsed, however long the tags of the files are", async () => {
    await using folder = await makeFolder();
    const names = Array.from({ length: 30 }, (_, at) => `${String(at).padStart(2, "0")}.txt`);
    for (const name of names) await writeFile(join(folder.path, name), "a text");
    // 200,000 characters in each file, so that five make a batch; in one, they would be six million.
    const people = Array.from({ length: 99 }, (_, at) => ({ name: `${at} ${"n".repeat(1990)}`, role: "writer" }));
    const lengths: number[] = [];
    const found: string[] = [];
    await scanHere({
      root: folder.path,
      reading: { people },
      send: (message) => {
        if (message.kind !== "batch") return;
        lengths.push(message.parts.join("").length);
        found.push(...message.parts.flatMap(unpackList).map(({ file }) => file.name));
      },
    });
    expect(found.sort()).toEqual(names);
    expect(Math.max(...lengths)).toBeLessThan(1_500_000);
  });

  it("has tags of bounded length in all, and keeps the first, however many lists a file fills", async () => {
    await using folder = await makeFolder();
    await writeFile(join(folder.path, "hostile.txt"), "a text");
    const long = (at: number) => `${at} ${"n".repeat(1900)}`;
    const many = <T>(one: (at: number) => T) => Array.from({ length: 2_000 }, (_, at) => one(at));
    const keyed = <T>(one: (at: number) => T) => Object.fromEntries(many((at) => [`key ${at}`, one(at)]));
    const batches: string[] = [];
    await scanHere({
      root: folder.path,
      reading: {
        ids: { isbn: "9780000000002", ["k".repeat(1_000_000)]: "an id under an endless name" },
        series: { name: "A series", ids: keyed(long) },
        people: many((at) => ({ name: long(at), role: long(at) })),
        subjects: keyed(() => many(long)),
      },
      send: (message) => {
        if (message.kind === "batch") batches.push(message.parts.join(""));
      },
    });
    expect(batches).toHaveLength(1);
    expect(batches[0]!.length).toBeGreaterThan(190_000);
    expect(batches[0]!.length).toBeLessThan(250_000);
    expect(batches[0]).toContain('"ids":{"isbn":"9780000000002"}');
    expect(batches[0]).toContain(`"name":"0 nnn`);
  });

  it("comes by name, folder by folder, in whatever order the disk lists it", async () => {
    await using folder = await makeFolder();
    const works = ["9", "10", "B", "a", "é"].map((name) => join(`Series ${name}`, "1.txt"));
    const all = [...works, join("Series B", "inner", "2.txt"), join("Series B", "3.txt"), "0 in the root.txt"];
    // Most disks list names in the order of their making, or of their hashes.
    for (const path of all.toSorted().reverse()) {
      await mkdir(dirname(join(folder.path, path)), { recursive: true });
      await writeFile(join(folder.path, path), "a text");
    }
    const found: string[] = [];
    await scanHere({
      root: folder.path,
      send: (message) => {
        if (message.kind === "batch") found.push(...message.parts.flatMap(unpackList).map(({ file }) => file.path));
      },
    });
    expect(found.map((path) => relative(folder.path, path))).toEqual([
      "0 in the root.txt",
      join("Series 10", "1.txt"),
      join("Series 9", "1.txt"),
      join("Series B", "1.txt"),
      join("Series B", "3.txt"),
      join("Series B", "inner", "2.txt"),
      join("Series a", "1.txt"),
      join("Series é", "1.txt"),
    ]);
  });

  it("is found though a folder holds more folders than a call takes parameters", manyFolders, async () => {
    await using folder = await makeFolder();
    for (let at = 0; at < 140_000; at += 1) mkdirSync(join(folder.path, String(at)));
    await writeFile(join(folder.path, "70000", "1.txt"), "a text");
    const found: string[] = [];
    await scanHere({
      root: folder.path,
      send: (message) => {
        if (message.kind === "batch") found.push(...message.parts.flatMap(unpackList).map(({ file }) => file.path));
      },
    });
    expect(found).toEqual([join(folder.path, "70000", "1.txt")]);
  });
});
