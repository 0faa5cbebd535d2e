import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { unpackList } from "../src/scan/messages.js";
import { makeFolder, scanHere } from "./support/scanning-here.js";

describe("what a scan has read", () => {
  it("goes out in parts that are soon parsed, however long the tags of the files are", async () => {
    await using folder = await makeFolder();
    const names = Array.from({ length: 30 }, (_, at) => `${String(at).padStart(2, "0")}.txt`);
    for (const name of names) await writeFile(join(folder.path, name), "a text");
    // 400,000 characters in each file, so that three make a batch; in one, they would be twelve million.
    const people = Array.from({ length: 200 }, (_, at) => ({ name: `${at} ${"n".repeat(1990)}`, role: "writer" }));
    const lengths: number[] = [];
    const found: string[] = [];
    await scanHere({
      root: folder.path,
      reading: { people },
      send: (message) => {
        if (message.kind !== "batch") return;
        lengths.push(message.files.length);
        found.push(...unpackList(message.files).map(({ file }) => file.name));
      },
    });
    expect(found.sort()).toEqual(names);
    expect(Math.max(...lengths)).toBeLessThan(1_500_000);
  });
});
