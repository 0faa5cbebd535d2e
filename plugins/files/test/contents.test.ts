import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeLibrary } from "@longbox/test/fixtures";
import { expect, it } from "vitest";
import { countContents } from "../src/counting/folder-contents.js";
import { startLibrary } from "./support/library.js";

it("counts what a folder holds before it becomes a library, only for those who manage libraries", async () => {
  await using library = await startLibrary({
    fill: (root) => writeLibrary(root, [{ title: "Moth Patrol", year: 2019, issues: ["1", "2", "3"], pages: 1 }]),
  });
  await mkdir(join(library.root, ".hidden"));
  await writeFile(join(library.root, ".hidden", "4.cbz"), "");
  await writeFile(join(library.root, "notes.txt"), "");
  const path = `/api/libraries/contents?path=${encodeURIComponent(library.root)}`;
  const { body } = await library.host.as("admin").get(path);
  expect(body).toEqual({
    path: library.root,
    files: 3,
    folders: 2,
    ofTypes: { comic: 3, manga: 3 },
    complete: true,
  });
  expect((await library.host.as("viewer").get(path)).status).toBe(403);
  expect(await library.host.as("admin").get("/api/libraries/contents?path=/etc")).toMatchObject({
    status: 400,
    body: { details: { path: expect.stringContaining("operating system") } },
  });
});

it("says that there may be more when time runs out", async () => {
  await using library = await startLibrary({
    fill: (root) => writeLibrary(root, [{ title: "Moth Patrol", year: 2019, issues: ["1"], pages: 1 }]),
  });
  const formats = { all: () => [], promise: () => true };
  const bounds = { longestMs: -1, signal: new AbortController().signal };
  expect(await countContents(library.root, formats, bounds)).toMatchObject({ files: 0, complete: false });
});
