import { rename, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeComic } from "@longbox/test/fixtures";
import { FilesEngine } from "@longbox/files/contract";
import { expect, it } from "vitest";
import { startLibrary } from "./support/library.js";

it("does not replace a newer file that another program put into the place meanwhile", async () => {
  await using library = await startLibrary({
    fill: (root) => writeComic(join(root, "Moth Patrol", "1.cbz"), { series: "Moth Patrol", number: "1", pages: 1 }),
  });
  const folder = join(library.root, "Moth Patrol");
  const path = join(folder, "1.cbz");
  const replacing = library.host.use(FilesEngine).replaceFile(path, async (file) => {
    await file.write("made of the older one");
    await writeFile(join(folder, "download.part"), "the newer one");
    await rename(join(folder, "download.part"), path);
  });
  await expect(replacing).rejects.toMatchObject({ kind: "conflict", code: "files/changed-meanwhile" });
  expect(await readFile(path, "utf8")).toBe("the newer one");
  expect(await readdir(folder)).toEqual(["1.cbz"]);
});

it("replaces a file that is still the one that was read", async () => {
  await using library = await startLibrary({
    fill: (root) => writeComic(join(root, "Moth Patrol", "1.cbz"), { series: "Moth Patrol", number: "1", pages: 1 }),
  });
  const path = join(library.root, "Moth Patrol", "1.cbz");
  await library.host.use(FilesEngine).replaceFile(path, async (file) => void (await file.write("new")));
  expect(await readFile(path, "utf8")).toBe("new");
});
