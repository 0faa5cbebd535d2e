import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeComic } from "@longbox/test/fixtures";
import { describe, expect, it } from "vitest";
import { startLibrary } from "../support/library.js";

/** Untagged comics: their names are all that tells what they are. */
async function writeAll(root: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) await writeComic(join(root, `${path}.cbz`), { series: path, number: "1", pages: 1 });
}

describe("a library whose files have names and no tags", () => {
  it("never makes one issue of different comics", async () => {
    const paths = [
      "Moth Patrol (1961) 001",
      "Moth Patrol (1961) 002",
      "Moth Patrol (2018) 001",
      "Salt Road/Salt Road v1 001",
      "Salt Road/Salt Road v2 001",
      "Mini/Mini (1 of 3)",
      "Mini/Mini (2 of 3)",
      "Mini/Mini #1-3",
      "Kite Regiment (1978)/003 - Paper Wings",
      "Bell/Volume 1 (1991)/001",
      "Bell/Volume 3 (2001)/001",
      "Bell/Annuals/Annual 01",
    ];
    await using library = await startLibrary({ fill: (root) => writeAll(root, paths) });
    const files = await library.files();
    expect(new Set(files.map(({ cvIssueId }) => cvIssueId)).size).toBe(paths.length);
    const found = new Map(files.map(({ path, series, number }) => [path.replace(/\.cbz$/, ""), `${series} ${number}`]));
    expect(paths.map((path) => found.get(path))).toEqual([
      "Moth Patrol 1",
      "Moth Patrol 2",
      "Moth Patrol 1",
      "Salt Road 1",
      "Salt Road 1",
      "Mini 1",
      "Mini 2",
      "Mini 1-3",
      "Kite Regiment 3",
      "Bell 1",
      "Bell 1",
      "Bell Annual 1",
    ]);
    const rows = (await library.host.as("admin").get("/api/collection?search=moth")).body;
    expect(rows.map(({ title, year, issues }: Record<string, unknown>) => [title, year, issues])).toHaveLength(2);
    expect(new Set(rows.map(({ year }: { year: number }) => year))).toEqual(new Set([1961, 2018]));
  });

  it("keeps every issue where it is when all is read again", async () => {
    const paths = ["Moth Patrol (1961) 001", "Moth Patrol (2018) 001", "Moth Patrol (2018) 002"];
    await using library = await startLibrary({ fill: (root) => writeAll(root, paths) });
    const before = await library.files();
    await library.scan({ everything: true });
    expect(await library.files()).toEqual(before);
    await writeAll(library.root, ["Moth Patrol (2018) 003"]);
    await library.scan();
    const after = await library.files();
    expect(after.filter(({ number }) => number !== "3")).toEqual(before);
    expect((await library.host.as("admin").get("/api/collection?search=moth")).body).toHaveLength(2);
  });

  it("shows how each name is read, and why", async () => {
    await using library = await startLibrary({
      fill: (root) => writeAll(root, ["Nattklockan/Nattklockan Nr 5 c2c", "Nattklockan/Nattklockan 6 Vinter"]),
    });
    const { body } = await library.host
      .as("admin")
      .get(`/api/scan-folder?path=${encodeURIComponent(join(library.root, "Nattklockan"))}`);
    expect(body.files).toMatchObject([
      { series: "Nattklockan", number: "6", kind: "issue", title: "Vinter" },
      {
        number: "5",
        certain: true,
        reasons: ["`Nr` is a number word, German, Dutch, Swedish, Danish", "`c2c` is a scan note"],
      },
    ]);
  });
});

describe("the import folder", () => {
  it("leaves unclear names to a person, with the reason, and keeps series of one title apart", async () => {
    const inbox = await mkdtemp(join(tmpdir(), "longbox-files-inbox-"));
    try {
      await using library = await startLibrary();
      await writeAll(inbox, ["Moth Patrol (1961) 001", "Moth Patrol (2018) 001", "Gravel Saints 3 Homecoming"]);
      const admin = library.host.as("admin");
      await admin.post("/api/settings", { files: { importFolder: inbox } });
      for (let round = 0; round < 2; round++) {
        const { candidates } = (await admin.post("/api/import/scan", {})).body;

        expect(
          candidates.map(({ name, year, files }: Record<string, any>) => [name, year, files[0].number, files.length]),
        ).toEqual([
          ["Gravel Saints", null, "3", 1],
          ["Moth Patrol", 1961, "1", 1],
          ["Moth Patrol (2018)", 2018, "1", 1],
        ]);
        expect(candidates[0].status).toBe("review");
        expect(candidates[0].reasons.at(-1)).toBe(
          "Gravel Saints 3 Homecoming.cbz: `3` is the only number, and a title follows.",
        );
        expect(candidates[1].files[0].reasons).toContain("`(1961)` is a year");
      }
    } finally {
      await rm(inbox, { recursive: true, force: true });
    }
  });
});
