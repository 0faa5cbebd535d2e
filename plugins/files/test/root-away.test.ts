import { renameSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { KnownFile } from "../src/scan/messages.js";
import { makeFolder, scanHere } from "./support/scanning-here.js";

describe("a root that goes away in the middle of a scan", () => {
  it("removes nothing", async () => {
    await using temporary = await makeFolder();
    const root = join(temporary.path, "root");
    await mkdir(root);
    for (let number = 1; number <= 3; number++) await writeFile(join(root, `${number}.txt`), "a text");
    const known = new Map<string, KnownFile>(
      ["1.txt", "gone.txt"].map((name) => [
        join(root, name),
        { path: join(root, name), sizeBytes: 1, modifiedMs: 1, tagsMs: 0, format: "text" },
      ]),
    );
    const goAway = () => renameSync(root, `${root}-away`);
    expect(await scanHere({ root, known, send: ({ kind }) => (kind === "batch" ? goAway() : undefined) })).toEqual({
      ended: "refused",
      reason: "The library's folder went away during the scan. Nothing was removed.",
    });
    await rename(`${root}-away`, root);
    expect(await scanHere({ root, known, send: () => undefined })).toEqual({
      ended: "complete",
      missing: [join(root, "gone.txt")],
      unreadable: [],
      ignored: [],
    });
  });
});
