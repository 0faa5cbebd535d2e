import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Pages } from "@longbox/comics/contract";
import { comicInfoXml, zip } from "@longbox/test/fixtures";
import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { startLibrary, untilSettled } from "../../files/test/support/library.js";

const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4]);

function comic(pages: number): Uint8Array {
  const name = (index: number) =>
    `a folder with a long name, so that the directory grows/${String(index).padStart(6, "0")}.jpg`;
  return zip(
    new Map<string, Uint8Array>([
      ...Array.from({ length: pages }, (_, index) => [name(index), jpeg] as const),
      ["ComicInfo.xml", Buffer.from(comicInfoXml({ Series: "Moth Patrol", Number: "1", Manga: "YesAndRightToLeft" }))],
    ]),
  );
}

describe("an archive whose directory is larger than the server parses by itself", () => {
  it("is read, and takes tags", { timeout: 240_000 }, async () => {
    await using library = await startLibrary({
      async fill(root) {
        await mkdir(join(root, "Moth Patrol"));
        await writeFile(join(root, "Moth Patrol", "1.cbz"), comic(2000));
      },
    });
    const [file] = await library.files();
    expect(file).toMatchObject({ pages: 2000, valid: true });
    const pages = library.host.use(Pages);
    const list = await pages.findPages(-file!.cvIssueId);
    expect([list?.pages.length, list?.rightToLeft]).toEqual([2000, true]);
    expect(Buffer.from((await pages.readPageBytes(-file!.cvIssueId, 1999)).bytes).equals(jpeg)).toBe(true);
    const admin = library.host.as("admin");
    const [{ id }] = (await admin.get("/api/collection")).body;
    await admin.post(`/api/collection/${id}/tag`);
    await expect
      .poll(async () => (await admin.get("/api/tag-files")).body.message, { timeout: 20_000 })
      .toBe("1 written, 0 not");
    await untilSettled(library.host);
    const entries = unzipSync(await readFile(join(library.root, "Moth Patrol", "1.cbz")));
    expect(Object.keys(entries)).toHaveLength(2001);
    expect(Buffer.from(entries["ComicInfo.xml"]!).toString()).toContain("<Manga>YesAndRightToLeft</Manga>");
  });

  it("is refused when it has more pages than a comic can have", { timeout: 240_000 }, async () => {
    await using library = await startLibrary({
      async fill(root) {
        await mkdir(join(root, "Moth Patrol"));
        await writeFile(join(root, "Moth Patrol", "1.cbz"), comic(20_001));
      },
    });
    expect(await library.files()).toMatchObject([
      { valid: false, error: "The archive has more pages than a comic can have." },
    ]);
  });
});
